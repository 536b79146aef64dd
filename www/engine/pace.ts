// How much work to ask of the engine per step, so that a step takes about as long as we want.

/** Steps short enough that a cancel is heard well within a fifth of a second. */
export const STEP_MS = 20;

/** The engine takes 32 bits; beyond them a budget would come in as some smaller number, at worst none. */
export const MOST = 2 ** 30;

/** The next budget after `budget` units took `ms`. Moves at most fourfold, so that one odd reading does little harm. */
export function nextBudget(budget: number, ms: number): number {
  const ratio = ms > 0 ? STEP_MS / ms : 4;
  return Math.min(MOST, Math.max(1, Math.round(budget * Math.min(4, Math.max(0.25, ratio)))));
}

/** Lets waiting messages in. A timer would be clamped to 4 ms; a message is not. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
