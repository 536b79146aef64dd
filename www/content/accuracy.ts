// Words for how far the times of the model `gpu` are off.

import { count, percent } from './format';
import { meanError, timeErrors } from './time-errors';

/** Beside a time: the mean error on the GPU, or that there is none. */
export function timeError(gpu: string, isChanged: boolean): string {
  const own = meanError(gpu, isChanged);
  return own === null ? 'error on this GPU unknown' : `mean error here ${percent(own)}`;
}

/** All of them in a sentence: "rtx3080 15 % (27)". */
export function allTimeErrors(): string {
  const rows = Object.entries(timeErrors).sort(([, a], [, b]) => a.error - b.error);
  return rows.map(([gpu, { launches, error }]) => `${gpu} ${percent(error)} (${count(launches)})`).join(', ');
}
