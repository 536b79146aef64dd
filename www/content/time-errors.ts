// How far the times of the model `gpu` are off on the GPUs that others measured (docs/accuracy.md). Every language has these.

import errors from '../../crates/lab/src/cache_tab/time_errors.json';

export const timeErrors = errors as Record<string, { launches: number; error: number }>;

/** The mean error of a time on a GPU; null where nobody measured it, and a changed GPU is one that nobody measured. */
export const meanError = (gpu: string, isChanged: boolean): number | null =>
  isChanged ? null : (timeErrors[gpu]?.error ?? null);
