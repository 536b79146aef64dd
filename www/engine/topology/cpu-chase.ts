// The CPU's curve: time per load against the size of an array that is walked in local order. What was tried and why the
// numbers are these stands in the design of this measurement; the analysis is the engine's.

import { Chaser } from './chase-module';
import { sliceOf } from './clock';

/** What the engine gives for it. */
export interface Chains {
  local(bytes: number, stride: number, seed: number): Uint32Array;
  pairs(bytes: number, distance: number, seed: number): Uint32Array;
  line(distances: Uint32Array, times: Float64Array): number;
  majority(votes: Uint32Array): number;
}

export interface Surroundings {
  now: () => number;
  chains: Chains;
  /** Lets messages in between two array sizes. */
  breathe: () => Promise<void>;
  cancelled: () => boolean;
  onProgress: (done: number, total: number) => void;
}

export const PER_OCTAVE = 8;
export const FIRST_BYTES = 4096;
export const LAST_BYTES = 64 * 2 ** 20;
export const EXTENDED_BYTES = 256 * 2 ** 20;
export const STRIDE = 64;
const FULL = { passes: 4, repetitions: 3 };
const QUICK = { passes: 2, repetitions: 2 };
/** Sizes whose two least times differ by more than this are walked again, so often at most. */
const SETTLED = 1.06;
const AGAIN = 4;
/** The same for the sizes of an extension, where a lap takes a quarter of a second. */
const AGAIN_FAR = 2;
/** The last half octave against the one before: still rising above this. Plateaus of memory wander by less. */
const RISING = 1.25;
const DISTANCES = Uint32Array.of(8, 16, 32, 64, 128, 256);
const VOTES = 5;
const VOTE_REPETITIONS = 5;

export interface Curve {
  sizes: number[];
  /** One list per repetition, nanoseconds per load; NaN where a size was left out. */
  times: number[][];
  extended: boolean;
}

/** Sizes from `first` to `last`, eight to an octave, in whole strides. */
export function grid(first: number, last: number, perOctave: number, stride: number): number[] {
  const sizes: number[] = [];
  for (let i = 0; ; i++) {
    const size = Math.round((first * 2 ** (i / perOctave)) / stride) * stride;
    if (size > last) return sizes;
    sizes.push(size);
  }
}

/** Time per load, nanoseconds: walks longer and longer until a slice is full. */
function slice(chaser: Chaser, now: () => number, length: number, from: number): { ns: number; loads: number } {
  for (let loads = from; ; loads *= 2) {
    const began = now();
    const walked = chaser.walk(loads);
    const took = now() - began;
    if (took >= length || loads >= 2 ** 28) return { ns: (took * 1e6) / walked, loads };
  }
}

export class CpuChase {
  readonly #around: Surroundings;
  readonly #length: number;
  readonly #chaser = new Chaser(LAST_BYTES, EXTENDED_BYTES);

  constructor(around: Surroundings, tick: number) {
    this.#around = around;
    this.#length = sliceOf(tick);
  }

  /** Bytes of memory that the chase holds. */
  get bytes(): number {
    return this.#chaser.bytes;
  }

  /** The curve; null when cancelled. */
  async curve(quick: boolean, last = LAST_BYTES): Promise<Curve | null> {
    const { passes, repetitions } = quick ? QUICK : FULL;
    const sizes = grid(FIRST_BYTES, last, PER_OCTAVE, STRIDE);
    this.#warmUp();
    const times = await this.#passes(sizes, passes, repetitions, 0, sizes.length * passes);
    if (!times || !(await this.#again(sizes, times, repetitions, AGAIN))) return null;
    if (last < LAST_BYTES || !rising(times) || !this.#chaser.grow(EXTENDED_BYTES))
      return { sizes, times, extended: false };
    const more = grid(last, EXTENDED_BYTES, PER_OCTAVE, STRIDE).slice(1);
    // Long arrays take most of the time, and their curve is what rises anyway: one pass.
    const total = sizes.length * passes + more.length;
    const further = await this.#passes(more, 1, repetitions, sizes.length * passes, total);
    // The least of a few times is larger than the least of many: unsettled, the extension would look like a step.
    if (!further || !(await this.#again(more, further, repetitions, AGAIN_FAR))) return null;
    const row = (of: number[][], i: number, { length }: number[]) => of[i] ?? new Array<number>(length).fill(NaN);
    const rows = Array.from({ length: Math.max(times.length, further.length) }, (_, i) => [
      ...row(times, i, sizes),
      ...row(further, i, more),
    ]);
    return { sizes: [...sizes, ...more], times: rows, extended: true };
  }

  /** Brings clock speed and compiler to where they stay. */
  #warmUp() {
    this.#chaser.lay(this.#around.chains.local(FIRST_BYTES, STRIDE, 0));
    for (let i = 0; i < 40; i++) this.#chaser.walk(2 ** 17);
  }

  /** Load only ever adds time, so a size is settled when its two least times agree; the others are walked again. */
  async #again(sizes: number[], times: number[][], repetitions: number, most: number): Promise<boolean> {
    for (let again = 0; again < most; again++) {
      const open = unsettled(times);
      if (open.length === 0) return true;
      const more = await this.#passes(
        open.map((i) => sizes[i]!),
        1,
        repetitions,
        1,
        1,
        100 + again,
      );
      if (!more) return false;
      for (const row of more) {
        const whole = new Array<number>(sizes.length).fill(NaN);
        open.forEach((i, k) => (whole[i] = row[k]!));
        times.push(whole);
      }
    }
    return true;
  }

  async #passes(
    sizes: number[],
    passes: number,
    repetitions: number,
    done: number,
    total: number,
    seed = 0,
  ): Promise<number[][] | null> {
    const { chains, now, breathe, cancelled, onProgress } = this.#around;
    const times = Array.from({ length: passes * repetitions }, () => new Array<number>(sizes.length).fill(NaN));
    const loads = sizes.map(() => 2 ** 12);
    for (let pass = 0; pass < passes; pass++) {
      for (const [i, size] of sizes.entries()) {
        this.#chaser.lay(chains.local(size, STRIDE, (seed + pass) * 1000 + i));
        this.#chaser.walk(size / STRIDE); // a lap, so that what fits is there
        for (let k = 0; k < repetitions; k++) {
          const { ns, loads: needed } = slice(this.#chaser, now, this.#length, loads[i]!);
          times[pass * repetitions + k]![i] = ns;
          loads[i] = needed;
        }
        onProgress(Math.min(total, done + pass * sizes.length + i + 1), total);
        await breathe();
        if (cancelled()) return null;
      }
    }
    return times;
  }

  /** Votes on the line size with an array of `bytes`, which should lie in the L2: the second load of a pair is fast while
   * it is in the line of the first. 0: no step was seen. */
  async line(bytes: number): Promise<{ votes: number[]; line: number } | null> {
    const { chains, now, breathe, cancelled } = this.#around;
    const votes: number[] = [];
    for (let vote = 0; vote < VOTES; vote++) {
      const least = new Float64Array(DISTANCES.length).fill(Infinity);
      for (let repetition = 0; repetition < VOTE_REPETITIONS; repetition++) {
        for (const [i, distance] of DISTANCES.entries()) {
          const order = chains.pairs(bytes, distance, vote);
          if (order.length === 0) return { votes: [], line: 0 };
          this.#chaser.lay(order);
          this.#chaser.walk(order.length);
          least[i] = Math.min(least[i]!, slice(this.#chaser, now, this.#length, 2 ** 12).ns);
        }
        await breathe();
        if (cancelled()) return null;
      }
      votes.push(chains.line(DISTANCES, least));
    }
    return { votes, line: chains.majority(Uint32Array.from(votes)) };
  }
}

/** Sizes whose two least times do not agree yet. */
export function unsettled(times: number[][]): number[] {
  const open = (i: number) => {
    const [least, second] = times
      .map((row) => row[i]!)
      .filter((ns) => ns > 0)
      .sort((a, b) => a - b);
    return least === undefined || second === undefined || second > SETTLED * least;
  };
  return times[0]!.map((_, i) => i).filter(open);
}

/** Whether the curve's end is still on its way up. */
export function rising(times: number[][]): boolean {
  const least = times[0]!.map((_, i) => Math.min(...times.map((row) => row[i]!).filter((ns) => ns > 0)));
  const mean = (from: number, to: number) => least.slice(from, to).reduce((sum, ns) => sum + ns, 0) / (to - from);
  const [n, half] = [least.length, PER_OCTAVE / 2];
  return n >= PER_OCTAVE && mean(n - half, n) > RISING * mean(n - PER_OCTAVE, n - half);
}

/** Array for the line's vote: eight times the L1, well within the L2 where there is one. Nearer to the L2's size some
 * pairs come from beyond it, and their time blurs the step. */
export function pairBytes(boundaries: [number, number, number][]): number {
  const [l1, l2] = [boundaries[0]?.[0] ?? 32_768, boundaries[1]?.[0]];
  return Math.min(LAST_BYTES, Math.max(4 * l1, Math.min(8 * l1, (l2 ?? Infinity) / 4)));
}
