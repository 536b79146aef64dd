// What the sentences of every language choose their numbers by.

import type { Misses, Work } from '../engine/types';
import { share } from './format';

type Outright = 'compulsory' | 'capacity' | 'associativity';

/** Misses that the miss rate counts: all but latency misses. */
export function outright(m: Pick<Misses, Outright>): number {
  return m.compulsory + m.capacity + m.associativity;
}

/** The kind with most misses. Of equally many, the one that can be avoided is told: no cache avoids first uses. */
export function mostMisses(m: Pick<Misses, Outright>): [Outright, number] {
  const kinds: Outright[] = ['associativity', 'capacity', 'compulsory'];
  const kind = kinds.reduce((a, b) => (m[b] > m[a] ? b : a));
  return [kind, m[kind]];
}

/** What a warp instruction asks for in the mean, and what would do. */
export function perInstruction({ instructions, requests, least }: Work['loads']): { asked: number; least: number } {
  return { asked: share(requests, instructions), least: share(least, instructions) };
}
