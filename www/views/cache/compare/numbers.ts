// The numbers of two kernels side by side. Which ones, in which unit, and which direction is better, is the engine's table.

import type { Times } from '../../../content/conclusion';
import type { ComparedNumber, Model } from '../../../engine/types';

/** Numbers whose difference is a smaller part of the baseline are called the same. */
const SAME = 0.005;

export interface NumberRow {
  number: ComparedNumber;
  before: number;
  now: number;
  difference: number;
  /** `now` over `before`; null where that is zero. */
  ratio: number | null;
  /**
   * Empty where neither direction is better, and between two models: a difference is theirs then, not the kernel's. `unsure`: the model's
   * times can be as far off as that.
   */
  verdict: '' | 'better' | 'worse' | 'same' | 'unsure';
}

export interface Compared {
  rows: NumberRow[];
  /** Numbers that one of the models lacks, or that mean something else in each. */
  others: ComparedNumber[];
}

/** A kernel's report, as data. */
type Kernel = object;

function at(kernel: Kernel, path: string): number | null {
  const step = (value: unknown, key: string): unknown =>
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  const value = path.split('.').reduce(step, kernel as unknown);
  return typeof value === 'number' ? value : null;
}

/** A number of a kernel; null where its model does not have it. */
export function valueOf(number: ComparedNumber, kernel: Kernel): number | null {
  const value = at(kernel, number.path);
  if (value === null) return null;
  if (number.over === null) return number.factor * value;
  const over = at(kernel, number.over);
  return over === null || over <= 0 ? null : (number.factor * value) / over;
}

/** How far a number moved, by its ratio: a half and a double are equally far. What left or reached zero moved farthest. */
export function moved({ difference, ratio }: NumberRow): number {
  if (difference === 0) return 0;
  return ratio === null || ratio <= 0 ? Infinity : Math.abs(Math.log(ratio));
}

/** Whether the number of one model can be held against that of the other. */
function isSame(scope: ComparedNumber['scope'], a: Model, b: Model): boolean {
  if (a === b || scope === 'all') return true;
  return scope !== 'model' && a !== 'gpu' && b !== 'gpu';
}

/** Cycles of another clock are no time, so a word beside them could speak against the one beside the time. */
function judge({ key, better }: ComparedNumber, change: number, times: Times | null): NumberRow['verdict'] {
  if (better === 'neither' || (key === 'cycles' && times?.sameClock === false)) return '';
  if (Math.abs(change) < SAME) return 'same';
  if ((key === 'seconds' || key === 'cycles') && times?.tells === false) return 'unsure';
  return change < 0 ? 'better' : 'worse';
}

/** `times`: what the times of two runs of the model `gpu` tell. */
export function compareKernels(
  table: ComparedNumber[],
  base: { model: Model; kernel: Kernel },
  shown: { model: Model; kernel: Kernel },
  times: Times | null = null,
): Compared {
  const rows: NumberRow[] = [];
  const others: ComparedNumber[] = [];
  for (const number of table) {
    const [before, now] = [valueOf(number, base.kernel), valueOf(number, shown.kernel)];
    if (before === null && now === null) continue;
    if (before === null || now === null || !isSame(number.scope, base.model, shown.model)) {
      others.push(number);
      continue;
    }
    const difference = now - before;
    const judged = base.model === shown.model ? judge(number, difference / Math.abs(before), times) : '';
    rows.push({
      number,
      before,
      now,
      difference,
      ratio: before === 0 ? null : now / before,
      verdict: difference === 0 ? 'same' : judged,
    });
  }
  return { rows, others };
}
