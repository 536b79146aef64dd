// What the first sentence of a comparison says, and by which numbers. Every language has these.

import type { GpuNumbers, KernelReport } from '../engine/types';
import { share } from './format';
import { clockOf } from './gpu-numbers';
import { type Margin, near } from './margin';
import { outright } from './shares';

/** Ratios nearer to one are told in percent, and explain no time. */
const MOVED = 1.1;

/** Cycles and clocks that differ by a smaller part are the same. */
const SAME = 0.005;

/** A rate of so many times fewer requests is a rate of something else. */
const FEWER = 1.5;

/** What two times of the model `gpu` tell. */
export interface Times {
  /** The longer time is longer than the error explains. Swapped runs have the same answer. */
  tells: boolean;
  /** Only then do cycles say what the time says. */
  sameClock: boolean;
}

export function timesOf(before: GpuNumbers, now: GpuNumbers, { error }: Margin): Times {
  return {
    tells: !near(now.seconds / before.seconds, error),
    sameClock: near(clockOf(now) / clockOf(before), SAME),
  };
}

/** Counts that can explain a time. */
const COUNTS = {
  sectors: (n: GpuNumbers) => n.l1.sectors,
  fromL2: (n: GpuNumbers) => n.l2.reads,
  fromDram: (n: GpuNumbers) => n.dram.reads,
  written: (n: GpuNumbers) => n.l2.writes,
  atomics: (n: GpuNumbers) => n.l2.atomics,
  wavefronts: (n: GpuNumbers) => n.shared.load_wavefronts + n.shared.store_wavefronts,
  instructions: (n: GpuNumbers) => n.instructions,
};

export type CountId = keyof typeof COUNTS;

export type Reason =
  /** `cycles`: those of now over those before; 1 where they are the same. */
  { of: 'clock'; cycles: number; before: number; now: number } | { of: CountId; ratio: number };

/** The clock where it differs, otherwise the count that moved farthest to the side to which the time moved. */
function reasonOf(before: GpuNumbers, now: GpuNumbers, { sameClock }: Times): Reason | null {
  if (!sameClock) {
    const cycles = now.cycles / before.cycles;
    return { of: 'clock', cycles: near(cycles, SAME) ? 1 : cycles, before: clockOf(before), now: clockOf(now) };
  }
  const side = Math.sign(now.seconds - before.seconds);
  const moves = (Object.keys(COUNTS) as CountId[]).map((of) => ({
    of,
    ratio: share(COUNTS[of](now), COUNTS[of](before)),
  }));
  const moved = moves.filter(({ ratio }) => ratio > 0 && side * Math.log(ratio) >= Math.log(MOVED));
  moved.sort((a, b) => side * (b.ratio - a.ratio));
  return moved[0] ?? null;
}

export type Conclusion =
  /** No number that is shown differs. */
  | { kind: 'same' }
  | { kind: 'within'; ratio: number; margin: Margin }
  /** `cores`: how many have work on both of two GPUs; null where they differ, and on one GPU. */
  | { kind: 'time'; ratio: number; reason: Reason | null; margin: Margin; cores: number | null }
  /** Of a model of one L1: now over before. */
  | { kind: 'l1'; requests: number; bytes: number | null; rate: [number, number] };

/** Of two runs of the model `gpu`. */
export function concludeTimes(before: GpuNumbers, now: GpuNumbers, margin: Margin): Conclusion {
  const ratio = now.seconds / before.seconds;
  const times = timesOf(before, now, margin);
  const cores = !margin.sameGpu && before.working_cores === now.working_cores ? now.working_cores : null;
  return times.tells
    ? { kind: 'time', ratio, reason: reasonOf(before, now, times), margin, cores }
    : { kind: 'within', ratio, margin };
}

/** Of two runs of a model of one L1. */
export function concludeMisses(before: KernelReport, now: KernelReport): Conclusion {
  const bytes = before.work && now.work ? now.work.l1_bytes / before.work.l1_bytes : null;
  return {
    kind: 'l1',
    requests: now.requests / before.requests,
    bytes: bytes !== null && Number.isFinite(bytes) ? bytes : null,
    rate: [before.miss_rate, now.miss_rate],
  };
}

/** How many times fewer sectors loads ask for, where their lower hit rate is no loss: it goes with a shorter time. */
export function noLossOfHits(before: GpuNumbers, now: GpuNumbers): number | null {
  const fewer = share(before.l1.sectors, now.l1.sectors);
  const lower = now.l1.hit_rate < before.l1.hit_rate - 0.01;
  return lower && fewer >= FEWER && now.seconds < before.seconds ? fewer : null;
}

/** How many times fewer requests there are, where a higher miss rate is no loss: no more of them miss. */
export function noLossOfMisses(before: KernelReport, now: KernelReport): number | null {
  const fewer = share(before.requests, now.requests);
  const higher = now.miss_rate > before.miss_rate + 0.01;
  return higher && fewer >= FEWER && outright(now.misses) <= (1 + SAME) * outright(before.misses) ? fewer : null;
}

/** Whether a ratio is told in percent. */
export const isSmall = (ratio: number) => near(ratio, MOVED - 1);
