// What the numbers of an analysis mean. Pure: everything follows from the numbers it is given.

import { percent } from '../../content/format';
import type { Hitting } from '../../content/reuse';
import type { Points, ReuseResult, Series } from '../../engine/reuse/protocol';

export { fullest, reasons } from '../../content/reuse-why';

/** Miss ratio at a size: that of the last point that is not larger; 1 below the first. */
export function ratioAt(curve: Points, lines: number): number {
  let [low, high] = [0, curve.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (curve[middle]![0] <= lines) low = middle + 1;
    else high = middle;
  }
  return low > 0 ? curve[low - 1]![1] : 1;
}

/** A curve of a result. Below 1/rate lines, a sample sees nothing but its own edge. */
export function seen({ sample }: Pick<ReuseResult, 'sample'>, curve: Points): Points {
  return sample ? curve.filter(([lines]) => lines * sample.rate >= 1) : curve;
}

/** The smallest cache that hits at least `part` of what any cache can hit; null where there is none. */
export function hitting(curve: Points, part: number): Hitting | null {
  const last = curve[curve.length - 1]?.[1];
  if (last === undefined || last >= 1) return null;
  const wanted = 1 - (1 - last) * part;
  const found = curve.find(([, ratio]) => ratio <= wanted);
  return found ? { lines: found[0], share: (1 - found[1]) / (1 - last) } : null;
}

/** Least distance such that half of a series' reuses lie at or below it, from its bins: the end of a bin, or null. */
export function medianUpTo(series: Series): number | null {
  const reuses = series.accesses - series.firsts;
  let sum = 0;
  for (const [k, n] of series.log2_bins.entries()) {
    sum += n;
    if (reuses > 0 && 2 * sum >= reuses) return k === 0 ? 0 : 2 ** k - 1;
  }
  return null;
}

/** Least and largest distance of a bin. */
export function binRange(k: number): [number, number] {
  return k === 0 ? [0, 0] : [2 ** (k - 1), 2 ** k - 1];
}

/** Rows of the histogram in powers of two. */
export function binRows(series: Series): { low: number; high: number; count: number; share: number; upTo: number }[] {
  let sum = 0;
  const all = Math.max(1, series.accesses);
  const rows = series.log2_bins.map((n, k) => {
    sum += n;
    const [low, high] = binRange(k);
    return { low, high, count: n, share: n / all, upTo: sum / all };
  });
  rows.push({ low: Infinity, high: Infinity, count: series.firsts, share: series.firsts / all, upTo: 1 });
  return rows;
}

/** How many of a sample's bounds hold. */
export function withinBounds(
  bounds: Points,
  estimate: Points,
  exact: Points,
): { lines: number; estimate: number; bound: number; exact: number; off: number }[] {
  return bounds.map(([lines, bound]) => {
    const [guess, truth] = [ratioAt(estimate, lines), ratioAt(exact, lines)];
    return { lines, estimate: guess, bound, exact: truth, off: Math.abs(guess - truth) };
  });
}

export const ratio = (value: number) => percent(value);
