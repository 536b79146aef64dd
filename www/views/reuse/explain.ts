// What the numbers of a comparison mean, in words. Pure: every sentence follows from the numbers it is given.

import { count, percent } from '../../content/format';
import { errorPercent, points } from '../../content/reuse';
import type { ReuseResult, Points, Series } from '../../engine/reuse/protocol';

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

/** The smallest cache that takes half of the misses away which any cache can take away; null where none does. */
export function halfWay(curve: Points): number | null {
  const last = curve[curve.length - 1]?.[1];
  if (last === undefined || last >= 1) return null;
  const wanted = 1 - (1 - last) / 2;
  return curve.find(([, ratio]) => ratio <= wanted)?.[0] ?? null;
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

/** Why the ways of a comparison differ. */
export function reasons(plain: ReuseResult, adjusted: ReuseResult, equal: boolean | null, bins: number): string[] {
  const { difference: off, hp_rda: how } = plain;
  const on = adjusted.difference;
  if (!off || !on || !how) return [];
  const said: string[] = [];
  if (equal) {
    said.push(
      'The parallel result is exact because a partition hands on its first uses: only their distances cross a border, and merging replays them through the lines of the partition before.',
    );
  }
  if (off.curve_points === 0) {
    said.push(
      how.ntb <= 1 && plain.all.accesses <= how.st * how.nb && how.ef === 1
        ? 'HP-RDA is exact here: no line is in two thread traces, so nothing is counted twice.'
        : 'HP-RDA is exact here: where a line comes back, the thread traces between share no line.',
    );
    return said;
  }
  said.push(
    `HP-RDA adds up the distinct lines of all thread traces between two uses, as if no line were in two of them. On average a line is in ${(1 / how.ef).toFixed(1)} thread traces (ef = ${how.ef.toFixed(4)}), so joined distances come out too large: up to ${count(plain.all.largest ?? 0)}, with only ${count(plain.distinct)} lines in all.`,
  );
  if (on.curve_points < off.curve_points) {
    said.push(
      `ef pulls distances above M = ${count(plain.distinct)} back, which cannot be true: the curve’s largest error goes from ${points(off.curve_points)} to ${points(on.curve_points)}.`,
    );
  } else {
    said.push(
      `ef changes only distances above M = ${count(plain.distinct)}, and here those are not what is wrong most: the curve’s largest error stays at ${points(on.curve_points)}.`,
    );
  }
  if (on.e_percent > off.e_percent) {
    said.push(
      `By bins ef does harm here: e grows from ${errorPercent(off.e_percent)} to ${errorPercent(on.e_percent)}, because all that was above M is moved by one and the same factor.`,
    );
  }
  if (on.curve_points > 0) {
    said.push('What is too large but not above M is never corrected, and at M itself the corrected curve jumps.');
  }
  if (on.binned_points > 0) {
    said.push(
      `The paper’s error divides by its ${bins} bins: e = ${errorPercent(on.e_percent)} sounds small, while the accumulated shares are off by ${points(on.binned_points)} at the worst bin, and the miss ratio by ${points(on.curve_points)} at the worst cache size.`,
    );
  }
  return said;
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

/** The fullest bar, in words. */
export function fullest(rows: { low: number; high: number; count: number }[]): string {
  const most = rows.reduce((best, row) => (row.count > best.count ? row : best), { low: 0, high: 0, count: 0 });
  if (most.low === Infinity) return 'the first use';
  return most.low === most.high ? `distance ${count(most.low)}` : `distances ${count(most.low)} to ${count(most.high)}`;
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
