// How far the times of the model `gpu` are off, in Chinese.

import { meanError, timeErrors } from '../time-errors';
import { count, percent } from './format';

export function timeError(gpu: string, isChanged: boolean): string {
  const own = meanError(gpu, isChanged);
  return own === null ? '此 GPU 上的误差未知' : `此 GPU 上的平均误差 ${percent(own)}`;
}

export function allTimeErrors(): string {
  const rows = Object.entries(timeErrors).sort(([, a], [, b]) => a.error - b.error);
  return rows.map(([gpu, { launches, error }]) => `${gpu} ${percent(error)}（${count(launches)}）`).join('、');
}
