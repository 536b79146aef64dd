// Work in steps inside a worker: short ones, with true progress, and ears for a cancel in between.

import { breathe, nextBudget, STEP_MS } from './pace';
import type { OnProgress } from './protocol';

/** Each message repaints the page, which on two cores is taken from the workers: at 50 ms two of them were a fifth slower. */
const SAY_EVERY_MS = 200;
/** Packed bytes can stand for a thousand times as many: a step must not take a whole part of a stream. */
const SLICE = 64 << 10;

/** Progress a person can follow; more messages would only cost time. */
export function sparingly(onProgress: OnProgress): OnProgress {
  let last = 0;
  return (done, total) => {
    const now = performance.now();
    if (now - last < SAY_EVERY_MS) return;
    last = now;
    onProgress(done, total);
  };
}

/** Calls `step` with a budget until it gives something; `null` when cancelled. `ms` is the time inside the steps. */
export async function inSteps<T>(
  first: number,
  step: (budget: number) => { done: number; total: number; value: T | null },
  onProgress: OnProgress,
  cancelled: () => boolean,
): Promise<{ value: T; ms: number } | null> {
  const say = sparingly(onProgress);
  let spent = 0;
  for (let budget = first; ;) {
    const began = performance.now();
    const { done, total, value } = step(budget);
    const took = performance.now() - began;
    spent += took;
    if (value !== null) return { value, ms: spent };
    budget = nextBudget(budget, took);
    say(done, total);
    await breathe();
    if (cancelled()) return null;
  }
}

/** Streams files to `push`; false when cancelled. Never holds a whole file. */
export async function streamFiles(
  files: File[],
  to: { begin(file: File, index: number): void; push(chunk: Uint8Array): void; end(): void },
  onProgress: OnProgress,
  cancelled: () => boolean,
): Promise<boolean> {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const say = sparingly(onProgress);
  let done = 0;
  let breathed = performance.now();
  for (const [i, file] of files.entries()) {
    to.begin(file, i);
    const reader = file.stream().getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      for (let at = 0; at < part.value.length; at += SLICE) {
        const slice = part.value.subarray(at, at + SLICE);
        to.push(slice);
        done += slice.length;
        if (performance.now() - breathed < STEP_MS) continue;
        say(done, total);
        await breathe();
        breathed = performance.now();
        if (cancelled()) {
          await reader.cancel();
          return false;
        }
      }
    }
    to.end();
  }
  return true;
}
