// The page's side of the self-check: two workers that take the rows in turn.

import * as Comlink from 'comlink';
import { EngineWorker } from '../engine-worker';
import type { EngineLost } from '../lost';
import type { PaperOutline, PaperReport, PaperResult } from '../types';

/** A row holds little memory, so that two workers fit on any machine. */
const MOST_WORKERS = 2;

/** What the page hears of a run. */
export interface PaperEars {
  /** A row has begun. */
  begun(id: string): void;
  /** How far it is, as a share. */
  share(id: string, share: number): void;
  done(result: PaperResult): void;
}

export class PapersEngine {
  readonly #workers: EngineWorker<'papers'>[] = [];
  #cancelled = false;
  onCrash: (error: EngineLost) => void = () => {};

  constructor() {
    const count = Math.max(1, Math.min(MOST_WORKERS, navigator.hardwareConcurrency || 1));
    for (let i = 0; i < count; i++) {
      const worker = new EngineWorker('papers');
      worker.onCrash = (error) => this.onCrash(error);
      this.#workers.push(worker);
    }
  }

  get #first() {
    return this.#workers[0]!;
  }

  list(): Promise<PaperOutline[]> {
    return this.#first.call((remote) => remote.list());
  }

  report(rows: PaperResult[]): Promise<PaperReport> {
    return this.#first.call((remote) => remote.report(rows));
  }

  json(rows: PaperResult[]): Promise<string> {
    return this.#first.call((remote) => remote.json(rows));
  }

  csv(rows: PaperResult[]): Promise<string> {
    return this.#first.call((remote) => remote.csv(rows));
  }

  /** Runs rows on all workers; false when cancelled. */
  async run(ids: string[], ears: PaperEars): Promise<boolean> {
    this.#cancelled = false;
    const waiting = ids.slice().reverse();
    const work = async (worker: EngineWorker<'papers'>) => {
      while (!this.#cancelled) {
        const id = waiting.pop();
        if (id === undefined) return;
        ears.begun(id);
        const say = Comlink.proxy((done: number, total: number) => ears.share(id, total > 0 ? done / total : 0));
        const result = await worker.job((remote) => remote.run(id, say));
        if (!result) return;
        ears.done(result);
      }
    };
    await Promise.all(this.#workers.slice(0, ids.length).map(work));
    return !this.#cancelled;
  }

  cancel() {
    this.#cancelled = true;
    for (const worker of this.#workers) void worker.cancel();
  }
}
