// The smallest cache whose miss ratio is at most a given one: between two points of the curve by exact distances. Pure but for what it asks for.

import type { Bar, Series } from '../../engine/reuse/protocol';

/** Accesses by distance from a first to a last distance, in bars of equal width. */
type Window = (from: number, to: number) => Promise<Bar[]>;

/** Lines and miss ratio of that cache; null where even the largest one of the curve misses more. */
export async function smallestBelow(
  { miss_ratio_curve: points, accesses }: Pick<Series, 'miss_ratio_curve' | 'accesses'>,
  limit: number,
  window: Window,
): Promise<[number, number] | null> {
  const at = points.findIndex(([, ratio]) => ratio <= limit);
  const [before, after] = [points[at - 1], points[at]];
  if (!before || !after) return after ?? null;
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
