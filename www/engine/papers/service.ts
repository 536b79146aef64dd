// A worker of the self-check: runs one row after the other.

import { PaperCheck } from '../../../pkg/engine/warpscope';
import type { OnProgress } from '../protocol';
import { Cancels } from '../cancels';
import { inSteps } from '../steps';
import type { PaperResult } from '../types';
import type { PapersService } from './protocol';

/** Ticks or events of the first step. */
const FIRST = 20_000;

export class Papers implements PapersService {
  readonly #check = new PaperCheck();
  readonly #cancels = new Cancels();

  list() {
    return this.#check.list();
  }

  async run(id: string, onProgress: OnProgress): Promise<PaperResult | null> {
    const isCancelled = this.#cancels.begin();
    this.#check.start(id);
    const step = (budget: number) => {
      const { done, total, outcome } = this.#check.step(budget);
      return { done, total, value: outcome };
    };
    return (await inSteps(FIRST, step, onProgress, isCancelled))?.value ?? null;
  }

  report(rows: PaperResult[]) {
    return this.#check.report(rows);
  }

  json(rows: PaperResult[]) {
    return this.#check.json(rows);
  }

  csv(rows: PaperResult[]) {
    return this.#check.csv(rows);
  }

  cancel() {
    this.#cancels.cancel();
  }
}
