// What a ranking comes to: which placement to choose, and what the model can tell of it. Pure.

import type { PlaceLine, PlaceRanking } from '../../engine/placement/types';
import { same } from './settings';

/** The time of a line over that of another: on the whole GPU if both ran there, else by the equations. */
export function ratio(line: PlaceLine, to: PlaceLine): number {
  return line.machine_microseconds !== null && to.machine_microseconds !== null
    ? line.machine_microseconds / to.machine_microseconds
    : line.cycles / to.cycles;
}

/** What the verdict says: move arrays; leave them, because nothing is faster; or leave them, because what seems faster may not be. */
export interface Advice {
  say: 'move' | 'stay' | 'tie';
  /** The placement to choose. */
  best: PlaceLine;
  /** The fastest by prediction. */
  first: PlaceLine;
  /** The placement of the trace; null where it is not in the ranking, because it is not legal or was not evaluated. */
  own: PlaceLine | null;
  /** All that may be the fastest, if there is more than one. */
  ties: PlaceLine[];
}

export function adviceOf({ lines, recommended }: PlaceRanking, sample: PlaceLine): Advice | null {
  const best = lines[recommended ?? 0];
  const first = lines[0];
  if (!best || !first) return null;
  const own = lines.find((line) => same(line.placement, sample.placement)) ?? null;
  const ties = lines.filter((line) => line.tie);
  const now = own ?? sample;
  const faster = ratio(best, now) < 1 && !same(best.placement, sample.placement);
  const say = own?.tie === true && ratio(first, now) < 1 ? 'tie' : faster ? 'move' : 'stay';
  return { say, best, first, own, ties: ties.length > 1 ? ties : [] };
}
