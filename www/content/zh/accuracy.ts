// How far the times of the model `gpu` are off, in Chinese.

import errors from '../accuracy.json';
import { count, percent } from './format';

export const known = errors as Record<string, { launches: number; error: number }>;

export function timeError(gpu: string, isChanged: boolean): string {
  const own = isChanged ? undefined : known[gpu];
  return own ? `此 GPU 上的平均误差 ${percent(own.error)}` : '此 GPU 上的误差未知';
}

export function allTimeErrors(): string {
  const rows = Object.entries(known).sort(([, a], [, b]) => a.error - b.error);
  return rows.map(([gpu, { launches, error }]) => `${gpu} ${percent(error)}（${count(launches)}）`).join('、');
}
