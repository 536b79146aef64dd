// The smallest cache whose miss ratio is at most a given one: between two points of the curve by exact distances. Pure but for what it asks for.

import type { Bar, Series } from '../../engine/reuse/protocol';

/** Accesses by distance from a first to a last distance, in bars of equal width. */
type Window = (from: number, to: number) => Promise<Bar[]>;
type Curve = Pick<Series, 'miss_ratio_curve' | 'accesses'>;

/** The curve as it is drawn. Where no line is used twice the engine finds no size: all sizes miss everything. */
export const pointsOf = ({ miss_ratio_curve: points, accesses }: Curve): [number, number][] =>
  points.length === 0 && accesses > 0 ? [[1, 1]] : points;

export interface Smallest {
  /** Lines and miss ratio. */
  size: [number, number];
  /** Its miss ratio is as low as was asked for. Otherwise no cache has so low a one, and this is the smallest with the least. */
  enough: boolean;
}

/** That cache. */
export async function smallestBelow(series: Curve, limit: number, window: Window): Promise<Smallest> {
  const least = series.miss_ratio_curve.at(-1)?.[1] ?? 1;
  const enough = least <= limit;
  // Half an access more: ratios are sums, which differ in their last digit.
  const size = await smallestOf(series, enough ? limit : least + 0.5 / series.accesses, window);
  return { size, enough };
}

/** Lines and miss ratio of the smallest cache at a limit that the largest one of the curve keeps. */
async function smallestOf(
  { miss_ratio_curve: points, accesses }: Curve,
  limit: number,
  window: Window,
): Promise<[number, number]> {
  // Below the first point every access misses.
  if (limit >= 1) return [1, points[0]?.[0] === 1 ? points[0][1] : 1];
  const at = points.findIndex(([, ratio]) => ratio <= limit);
  const [before, after] = [points[at - 1], points[at]!];
  if (!before) return after;
  let [low, ratio] = before;
  let high = after[0];
  // A cache of n lines holds what returns at a distance below n.
  while (high - low > 1) {
    const bars = await window(low, high - 1);
    let crossing: Bar | undefined;
    for (const bar of bars) {
      const next = ratio - bar.count / accesses;
      if (next <= limit) {
        if (bar.low === bar.high) return [bar.high + 1, next];
        crossing = bar;
        break;
      }
      ratio = next;
    }
    if (!crossing) return after;
    [low, high] = [crossing.low, crossing.high + 1];
  }
  return after;
}
