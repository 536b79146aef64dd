// How far two times of the model `gpu` can be off, and so whether they differ. Every language has these.

import { meanError, timeErrors } from './time-errors';

/** What a time on a GPU that nobody measured is taken to be off by: as much as on the worst measured one. The sentence says that it is assumed. */
const ASSUMED_ERROR = Math.max(...Object.values(timeErrors).map(({ error }) => error));

/** A run, as far as it decides how sure its time is. */
interface Timed {
  gpu: string;
  set: Record<string, string>;
}

export interface Margin {
  error: number;
  /** On how many of the two GPUs nobody measured it, so that it is assumed. */
  unknown: number;
  sameGpu: boolean;
}

export function marginOf(before: Timed, now: Timed): Margin {
  const errors = [before, now].map(({ gpu, set }) => meanError(gpu, Object.keys(set).length > 0));
  return {
    error: Math.max(...errors.map((error) => error ?? ASSUMED_ERROR)),
    unknown: errors.filter((error) => error === null).length,
    sameGpu: before.gpu === now.gpu,
  };
}

/** Whether the larger of two values is larger by no more than a part of the smaller. Both orders have the same answer. */
export const near = (ratio: number, part: number) => Math.abs(Math.log(ratio)) <= Math.log(1 + part);
