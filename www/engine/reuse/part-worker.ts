// One worker of the pool: analyses its stretch of the stream with an engine of its own and hands a summary out.

import * as Comlink from 'comlink';
import init, { ReuseLab } from '../../../pkg/rest/warpscope';
import type { OnProgress } from '../protocol';
import { inSteps } from '../steps';
import type { Part, PartService } from './protocol';

const FIRST_BUDGET = 50_000;
/** Lines that are copied into the engine at a time. */
const PIECE = 1 << 16;

class Service implements PartService {
  #cancelled = false;

  async boot() {
    await init();
  }

  /** Feeds a stretch to `lab`. */
  async #feed(lab: ReuseLab, part: Part, onProgress: OnProgress) {
    this.#cancelled = false;
    const lines = part.narrow ? new Uint32Array(part.lines) : new BigUint64Array(part.lines);
    let at = 0;
    let bytes = 0;
    const step = (budget: number) => {
      for (let left = budget; left > 0 && at < lines.length; ) {
        const end = Math.min(lines.length, at + Math.min(PIECE, left));
        if (part.narrow) lab.push_u32((lines as Uint32Array).subarray(at, end));
        else lab.push_u64((lines as BigUint64Array).subarray(at, end));
        bytes = Math.max(bytes, (lab.step(end - at) as { bytes: number }).bytes);
        left -= end - at;
        at = end;
      }
      return { done: at, total: lines.length, value: at === lines.length ? true : null };
    };
    const fed = await inSteps(FIRST_BUDGET, step, onProgress, () => this.#cancelled);
    return fed && { ms: fed.ms, bytes };
  }

  async whole(part: Part, onProgress: OnProgress) {
    const lab = new ReuseLab();
    try {
      return await this.#feed(lab, part, onProgress);
    } finally {
      lab.free();
    }
  }

  async summarise(part: Part, onProgress: OnProgress) {
    const lab = new ReuseLab();
    try {
      const fed = await this.#feed(lab, part, onProgress);
      if (!fed) return null;
      const began = performance.now();
      const summary = lab.summary();
      return Comlink.transfer({ summary, ms: fed.ms + performance.now() - began, bytes: fed.bytes }, [summary.buffer]);
    } finally {
      lab.free();
    }
  }

  merge(first: Uint8Array, second: Uint8Array) {
    const began = performance.now();
    const lab = new ReuseLab();
    try {
      lab.merge(first);
      lab.merge(second);
      const summary = lab.summary();
      return Comlink.transfer({ summary, ms: performance.now() - began }, [summary.buffer]);
    } finally {
      lab.free();
    }
  }

  cancel() {
    this.#cancelled = true;
  }
}

Comlink.expose(new Service());
