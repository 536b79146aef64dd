// Work in steps inside a worker: short ones, with true progress, and ears for a cancel in between.

import { FileStream } from '../../pkg/engine/warpscope';
import { breathe, nextBudget, STEP_MS } from './pace';
import type { OnProgress, Source } from './protocol';
import type { CudaSettings, TextsStep } from './types';

/** Each message repaints the page, which on two cores is taken from the workers: at 50 ms two of them were a fifth slower. */
const SAY_EVERY_MS = 200;

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

/** Streams files to `take`, piece by piece; false when cancelled. Never holds a whole file. */
export async function streamFiles(
  files: File[],
  to: { begin(file: File, index: number): void; take(stream: FileStream): number; end(): void },
  onProgress: OnProgress,
  cancelled: () => boolean,
): Promise<boolean> {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const say = sparingly(onProgress);
  let done = 0;
  let breathed = performance.now();
  for (const [i, file] of files.entries()) {
    to.begin(file, i);
    const stream = new FileStream(file);
    const isOver = async () => {
      if (!cancelled()) return false;
      await stream.cancel();
      return true;
    };
    while (await stream.next()) {
      if (await isOver()) return false;
      for (let took = to.take(stream); took > 0; took = to.take(stream)) {
        done += took;
        if (performance.now() - breathed < STEP_MS) continue;
        say(done, total);
        await breathe();
        breathed = performance.now();
        if (await isOver()) return false;
      }
    }
    if (await isOver()) return false;
    stream.free();
    to.end();
  }
  return true;
}

/** Warp instructions of the first step of CUDA text. */
const FIRST_INSTRUCTIONS = 20_000;

/** A class of the engine that takes an example and CUDA text as sources of traces. */
export interface TakesTexts {
  set_cuda(settings: CudaSettings): void;
  example(id: string): void;
  texts_step(budget: number): TextsStep;
}

/** Tells `to` how CUDA text is run, and which example is part of the source. Files may follow. */
export function beginSource(to: Pick<TakesTexts, 'set_cuda' | 'example'>, { example, cuda }: Source) {
  if (cuda) to.set_cuda(cuda);
  if (example !== null) to.example(example);
}

/** Runs the CUDA text that `of` has read; false when cancelled. */
export async function runTexts(
  of: Pick<TakesTexts, 'texts_step'>,
  onProgress: OnProgress,
  cancelled: () => boolean,
): Promise<boolean> {
  const step = (budget: number) => {
    const { done, total, finished } = of.texts_step(budget);
    return { done, total, value: finished || null };
  };
  return (await inSteps(FIRST_INSTRUCTIONS, step, onProgress, cancelled)) !== null;
}
