// One worker of the pool: analyses its stretch of the stream with an engine of its own and absorbs its neighbours.

import * as Comlink from 'comlink';
import { ReuseLab } from '../../../pkg/engine/warpscope';
import type { OnProgress } from '../protocol';
import { Cancels } from '../cancels';
import { inSteps } from '../steps';
import type { Part as Stretch, PartService } from './protocol';

const FIRST_BUDGET = 50_000;
/** Lines that are copied into the engine at a time. */
const PIECE = 1 << 16;

export class Part implements PartService {
  readonly #cancels = new Cancels();
  /** The partition that was analysed, with those that it has absorbed. */
  #lab: ReuseLab | null = null;

  /** Feeds a stretch to `lab`. */
  async #feed(lab: ReuseLab, part: Stretch, onProgress: OnProgress) {
    const isCancelled = this.#cancels.begin();
    const lines = part.narrow ? new Uint32Array(part.lines) : new BigUint64Array(part.lines);
    let at = 0;
    let bytes = 0;
    const step = (budget: number) => {
      for (let left = budget; left > 0 && at < lines.length;) {
        const end = Math.min(lines.length, at + Math.min(PIECE, left));
        if (part.narrow) lab.push_u32((lines as Uint32Array).subarray(at, end));
        else lab.push_u64((lines as BigUint64Array).subarray(at, end));
        bytes = Math.max(bytes, lab.step(end - at).bytes);
        left -= end - at;
        at = end;
      }
      return { done: at, total: lines.length, value: at === lines.length ? true : null };
    };
    const fed = await inSteps(FIRST_BUDGET, step, onProgress, isCancelled);
    return fed && { ms: fed.ms, bytes };
  }

  async whole(part: Stretch, onProgress: OnProgress) {
    const lab = new ReuseLab();
    try {
      return await this.#feed(lab, part, onProgress);
    } finally {
      lab.free();
    }
  }

  async analyse(part: Stretch, onProgress: OnProgress) {
    this.#lab?.free();
    this.#lab = new ReuseLab();
    return this.#feed(this.#lab, part, onProgress);
  }

  handOver() {
    const began = performance.now();
    const summary = this.#held.summary();
    this.#lab?.free();
    this.#lab = null;
    return Comlink.transfer({ summary, ms: performance.now() - began }, [summary.buffer]);
  }

  absorb(next: Uint8Array) {
    const began = performance.now();
    this.#held.merge(next);
    return performance.now() - began;
  }

  get #held(): ReuseLab {
    if (!this.#lab) throw new Error('a partition was asked for before it was analysed');
    return this.#lab;
  }

  cancel() {
    this.#cancels.cancel();
  }
}
