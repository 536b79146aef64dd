// How far the times of the model `gpu` are off on the GPUs that others measured (docs/accuracy.md).

import errors from './accuracy.json';
import { count, percent } from './format';

interface TimeError {
  launches: number;
  error: number;
}

/** Mean errors of the time by GPU. */
export const known = errors as Record<string, TimeError>;

/** Beside a time: the mean error on the GPU, or that there is none. A changed GPU is one that nobody measured. */
export function timeError(gpu: string, isChanged: boolean): string {
  const own = isChanged ? undefined : known[gpu];
  return own ? `mean error here ${percent(own.error)}` : 'error on this GPU unknown';
}

/** All of them in a sentence: "rtx3080 15 % (27)". */
export function allTimeErrors(): string {
  const rows = Object.entries(known).sort(([, a], [, b]) => a.error - b.error);
  return rows.map(([gpu, { launches, error }]) => `${gpu} ${percent(error)} (${count(launches)})`).join(', ');
}
