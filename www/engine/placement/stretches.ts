// The numbers of all placements, cut into stretches that workers take one by one.

export interface Range {
  from: number;
  to: number;
}

/** Enough stretches that the last ones end together, few enough that handing them over costs nothing. */
const PARTS = 32;
const LEAST = 8;

export class Stretches {
  readonly #size: number;
  readonly #back: Range[] = [];
  #next = 0;

  constructor(readonly total: number) {
    this.#size = Math.max(LEAST, Math.ceil(total / PARTS));
  }

  /** Numbers that nobody has taken. */
  get left(): number {
    return this.total - this.#next + this.#back.reduce((sum, { from, to }) => sum + to - from, 0);
  }

  take(): Range | null {
    const back = this.#back.pop();
    if (back) return back;
    if (this.#next >= this.total) return null;
    const from = this.#next;
    this.#next = Math.min(this.total, from + this.#size);
    return { from, to: this.#next };
  }

  /** A stretch that its taker lost. */
  giveBack(stretch: Range) {
    this.#back.push(stretch);
  }
}
