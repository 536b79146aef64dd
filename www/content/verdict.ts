// The sentences of the verdict: which kind of miss a kernel has most, where, and what to try.

import type { KernelReport, Misses } from '../engine/types';
import { percent, share } from './format';
import { mostMisses, outright } from './shares';
import { workSentence } from './work';

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

/** What the largest letters say: work first. Where only some cores are modelled, the least is not known. */
export function verdictHeadline(k: KernelReport): string {
  return k.work && k.requests > 0 ? workSentence(k.work) : verdictSentence(k);
}

/** The share of requests that miss, and why, as one or two sentences. */
export function verdictSentence(k: KernelReport): string {
  const misses = outright(k.misses);
  if (k.requests === 0) return 'This kernel makes no requests to the cache.';
  const late = share(k.misses.latency, k.requests);
  const lateText = late >= 0.005 ? ` A further ${percent(late)} wait for a line that is already on its way.` : '';
  if (misses === 0) return `No request misses.${lateText}`;
  const rate = share(misses, k.requests);
  const [kind, n] = mostMisses(k.misses);
  return `${rate > 0.9995 ? 'Every request misses' : `${percent(rate)} of requests miss`}; ${shareInWords(n / misses)} of them are ${kind} misses${inArray(k, kind)}.${lateText}`;
}

/** ", most in array B", when the engine's verdict speaks of the same kind. */
function inArray(k: KernelReport, kind: keyof Misses): string {
  const { array, array_share, class: told } = k.verdict;
  if (array === null || told !== kind || k.arrays.length < 2) return '';
  // Arrays that only a memcpy line names are called "array 2" already.
  const name = array.startsWith('array ') ? array : `array ${array}`;
  if (array_share >= 0.9995) return ` in ${name}`;
  return `, ${shareInWords(array_share)} in ${name}`;
}

/** Below the headline: what misses, and whether waiting for lines in flight matters more. */
export function verdictMeaning(k: KernelReport): string {
  const rate = k.work && k.requests > 0 ? verdictSentence(k) : '';
  const waits =
    k.misses.latency > outright(k.misses) && outright(k.misses) > 0
      ? ' Most waiting comes from asking again for lines still in flight. More work between the load and its reuse, or more warps, would hide it.'
      : '';
  return rate + waits;
}
