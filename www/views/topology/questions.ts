// The game's questions about a hidden GPU, and what it takes to be right. Pure.

import type { CacheGuess, Discovered, Experiment, Guess } from '../../engine/topology/types';

export type Kind = 'size' | 'fetch_granularity' | 'line_size' | 'latency' | 'amount' | 'shared';

export interface Question {
  kind: Kind;
  memory: string;
  /** The experiment that shows the answer. */
  experiment: Experiment;
}

export const NO_CACHE: CacheGuess = {
  size: null,
  line_size: null,
  fetch_granularity: null,
  latency: null,
  amount: null,
  shared_with: [],
};
/** What an answer is counted in, where it has a unit. */
export const UNITS: Partial<Record<Kind, 'bytes' | 'cycles'>> = {
  size: 'bytes',
  fetch_granularity: 'bytes',
  line_size: 'bytes',
  latency: 'cycles',
};

/** A person reads a size off a picture, so a larger deviation than a search's one step counts as right. */
const TOLERANCE = 0.03;
/** A wrong size within this share is called near. */
const NEAR = 0.2;

export const NOTHING: Guess = { global_in_l1: true, caches: {}, shared_cycles: 0, main_cycles: 0 };

/** What to ask about a GPU: its first cache of data in detail, then its L2. */
export function questionsOf({ truth }: Discovered): Question[] {
  const memory = truth.global_in_l1 && truth.caches['l1'] ? 'l1' : 'texture';
  const cache = truth.caches[memory];
  if (!cache) return [];
  const walk = (bytes: number, stride: number): Experiment => ({ kind: 'walk', memory, bytes, stride, warm: true });
  const sizes = (m: string, from: number, to: number): Experiment => ({ kind: 'sizes', memory: m, from, to, step: 0 });
  const most = Math.floor((cache.usable * 0.8) / 128) * 128;
  const of = (kind: Kind, experiment: Experiment): Question => ({ kind, memory, experiment });
  const questions = [
    of('size', sizes(memory, 1024, 2 ** 20)),
    of('fetch_granularity', walk(8 * cache.usable, 4)),
    of('line_size', walk(Math.round((cache.usable * 1.5) / 64) * 64, 60)),
    of('latency', walk(1024, 32)),
    of('amount', { kind: 'amount', memory, bytes: most }),
  ];
  const texture = memory === 'l1' ? truth.caches['texture'] : undefined;
  if (texture) {
    const second = Math.floor((texture.usable * 0.8) / 128) * 128;
    const pair = { first: 'l1', second: 'texture', first_bytes: most, second_bytes: second };
    questions.push(of('shared', { kind: 'sharing', ...pair }));
  }
  if (truth.caches['l2']) questions.push({ kind: 'size', memory: 'l2', experiment: sizes('l2', 65_536, 8 * 2 ** 20) });
  return questions;
}

export function truthOf({ truth }: Discovered, { kind, memory }: Question): number {
  const cache = truth.caches[memory]!;
  if (kind === 'size') return cache.usable;
  return kind === 'shared' ? Number(cache.shared_with.includes('texture')) : cache[kind];
}

/** The answer to one question, in the form that the engine scores. */
export function guessOf({ kind, memory }: Question, value: number): Guess {
  return kind === 'shared' ? NOTHING : { ...NOTHING, caches: { [memory]: { ...NO_CACHE, [kind]: value } } };
}

export type Verdict = 'right' | 'near' | 'small' | 'large' | 'wrong';

/** `byEngine`: whether the answer is right by the rule that scores the page's own findings. */
export function verdictOf(question: Question, value: number, truth: number, byEngine: boolean): Verdict {
  if (question.kind === 'shared') return value === truth ? 'right' : 'wrong';
  const off = Math.abs(value - truth) / truth;
  if (byEngine || (question.kind === 'size' && off <= TOLERANCE)) return 'right';
  if (question.kind === 'size' && off <= NEAR) return 'near';
  return value < truth ? 'small' : 'large';
}
