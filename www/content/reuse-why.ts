// Why the ways of a comparison in the Reuse tab differ. Every sentence follows from the numbers it is given.

import type { ReuseResult } from '../engine/reuse/protocol';
import { count } from './format';
import { errorPercent, points } from './reuse';

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

/** The fullest bar, in words. */
export function fullest(rows: { low: number; high: number; count: number }[]): string {
  const most = rows.reduce((best, row) => (row.count > best.count ? row : best), { low: 0, high: 0, count: 0 });
  if (most.low === Infinity) return 'the first use';
  return most.low === most.high ? `distance ${count(most.low)}` : `distances ${count(most.low)} to ${count(most.high)}`;
}
