// How coarse a clock is, and times longer than that.

/** Above this a measurement would take minutes, so there is none. */
export const COARSEST_MS = 5;
/** A slice is never shorter than this, however fine the clock. */
const LEAST_SLICE_MS = 1;
/** Clocks coarser than this get slices of fewer ticks, or a run would last too long. */
const COARSE_MS = 0.5;

/** Median step of the clock in milliseconds; Infinity when it stands still. */
export function tickOf(now: () => number): number {
  const steps: number[] = [];
  let last = now();
  // Looks instead of time end the wait, because the clock is what is in doubt.
  for (let looks = 0; steps.length < 41 && looks < 5_000_000; looks++) {
    const t = now();
    if (t > last) {
      steps.push(t - last);
      last = t;
    }
  }
  if (steps.length < 5) return Infinity;
  steps.sort((a, b) => a - b);
  return steps[steps.length >> 1]!;
}

/** Length of a slice: ten ticks, or five of a coarse clock. */
export function sliceOf(tick: number): number {
  return Math.max(LEAST_SLICE_MS, tick * (tick > COARSE_MS ? 5 : 10));
}
