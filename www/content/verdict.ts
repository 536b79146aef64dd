// The sentences of the verdict: which kind of miss a kernel has most, where, and what to try.

import type { KernelReport, Misses } from '../engine/types';
import { percent, share } from './format';

/** Share in words a person would say. */
export function shareInWords(fraction: number): string {
  const words: [number, string][] = [
    [1, 'all'],
    [3 / 4, 'three quarters'],
    [2 / 3, 'two thirds'],
    [1 / 2, 'half'],
    [1 / 3, 'a third'],
    [1 / 4, 'a quarter'],
  ];
  if (fraction >= 0.95 && fraction < 0.9995) return 'nearly all';
  const near = words.find(([value]) => Math.abs(fraction - value) < (value === 1 ? 0.0005 : 0.02));
  return near ? near[1] : percent(fraction);
}

/** Misses that the miss rate counts: all but latency misses. */
export function outright(m: Pick<Misses, 'compulsory' | 'capacity' | 'associativity'>): number {
  return m.compulsory + m.capacity + m.associativity;
}

/** The verdict, as one or two sentences. */
export function verdictSentence(k: KernelReport): string {
  const misses = outright(k.misses);
  if (k.requests === 0) return 'This kernel makes no requests to the cache.';
  const late = share(k.misses.latency, k.requests);
  const lateText = late >= 0.005 ? ` A further ${percent(late)} wait for a line that is already on its way.` : '';
  if (misses === 0) return `No request misses.${lateText}`;
  const rate = share(misses, k.requests);
  const kinds = (['compulsory', 'capacity', 'associativity'] as const).map((kind) => [kind, k.misses[kind]] as const);
  const [kind, n] = kinds.reduce((a, b) => (b[1] > a[1] ? b : a));
  return `${rate > 0.9995 ? 'Every request misses' : `${percent(rate)} of requests miss`}; ${shareInWords(n / misses)} of them are ${kind} misses${inArray(k, kind)}.${lateText}`;
}

/** ", most of them in array B", when the engine's verdict speaks of the same kind. */
function inArray(k: KernelReport, kind: keyof Misses): string {
  const { array, array_share, class: told } = k.verdict;
  if (array === null || told !== kind || k.arrays.length < 2) return '';
  // Arrays that only a memcpy line names are called "array 2" already.
  const name = array.startsWith('array ') ? array : `array ${array}`;
  if (array_share >= 0.9995) return ` in ${name}`;
  return `, ${shareInWords(array_share)} of them in ${name}`;
}

/** What the verdict means and what to try. */
export function verdictMeaning(k: KernelReport): string {
  const m = k.misses;
  const misses = outright(m);
  if (misses === 0) return '';
  if (m.latency > misses)
    return 'Most waiting comes from asking again for lines still in flight. More work between the load and its reuse, or more warps, would hide it.';
  const worst = Math.max(m.compulsory, m.capacity, m.associativity);
  if (worst === m.compulsory)
    return 'Most lines are used for the first time. A larger cache would not help; touching fewer lines would: better coalescing, smaller data types.';
  if (worst === m.capacity)
    return 'More lines are used between two uses than the cache holds. Smaller tiles, fewer resident blocks or a larger cache would help.';
  return 'Too many lines in use share the same sets. Padding the rows of the array, or a cache with more ways, would help.';
}
