// Values to begin with, and what the points of several GPUs say. Pure.

import { marginOf, near } from '../../../content/margin';
import type { Parameter, SweepRow } from '../../../engine/types';
import type { Swept } from './state';

/** GPUs to begin with, after the present one. */
const GPUS = ['rtx3060', 'a100', 'h100'];

/** Values to begin with. */
export function firstValues(key: string, parameters: Parameter[], gpu: string): string {
  if (key === '') return '';
  if (key === 'gpu') return [...new Set([...(gpu === 'file' ? [] : [gpu]), ...GPUS])].join(',');
  if (key === 'state') return 'cold,copies,replay';
  if (key === 'seed') return '1..8';
  if (key === 'without') return 'nothing,associativity,latency,mshrs';
  const parameter = parameters.find((p) => p.key === key);
  if (parameter?.kind === 'choice') return parameter.choices.join(',');
  if (parameter?.kind === 'boolean') return 'true,false';
  return parameter?.value === 'unlimited' ? '16,32,64,unlimited' : 'factors';
}

/** Whether the values of a key stand in an order, so that a line between two points means something. */
export function hasOrder(key: string, parameters: Parameter[]): boolean {
  if (['gpu', 'model', 'state', 'seed', 'without'].includes(key)) return false;
  const kind = parameters.find((p) => p.key === key)?.kind;
  return kind !== 'choice' && kind !== 'boolean';
}

const secondsOf = (row: SweepRow) => row.measures['seconds'] ?? 0;

/** The fastest point of several GPUs, and those that the error of the model leaves beside it; null where there are no times. */
export function fastest({ outline: { axes }, rows, scenario }: Swept): { first: SweepRow; beside: SweepRow[] } | null {
  const at = axes.findIndex(({ key }) => key === 'gpu');
  const timed = rows.filter((row) => secondsOf(row) > 0).sort((a, b) => secondsOf(a) - secondsOf(b));
  const [first, ...others] = timed;
  if (at < 0 || !first || others.length === 0) return null;
  const run = ({ values }: SweepRow) => {
    const settings = axes.map(({ key }, i) => [key, values[i] ?? ''] as const);
    const set = Object.fromEntries(settings.filter(([key]) => key !== 'gpu' && key !== 'state'));
    return { gpu: values[at] ?? '', set: { ...scenario.set, ...set } };
  };
  const isNear = (row: SweepRow) => near(secondsOf(row) / secondsOf(first), marginOf(run(first), run(row)).error);
  return { first, beside: others.filter(isNear) };
}
