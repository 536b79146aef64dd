// The workers of a sweep. Each opens the source once and then runs one point after the other.

import type { Source } from '../protocol';
import type { Scenario, SweepOutline, SweepRow } from '../types';
import { Engine } from './engine';

/** Each worker holds the kernels' traces, so that many of them would take much memory. */
const MOST_WORKERS = 8;

export class SweepPool {
  #engines: Engine[] = [];
  #cancelled = false;

  /**
   * Runs all points of `outline`, which was made from the same scenario and texts. `onRow` hears each row when it is done.
   * False when cancelled.
   */
  async run(
    source: Source,
    scenario: Scenario,
    vary: string[],
    outline: SweepOutline,
    onRow: (row: SweepRow) => void,
  ): Promise<boolean> {
    this.#cancelled = false;
    const workers = Math.min(MOST_WORKERS, navigator.hardwareConcurrency || 2, outline.points);
    this.#engines = Array.from({ length: workers }, () => new Engine());
    let next = 0;
    const work = async (engine: Engine) => {
      if (!(await engine.sweepPlan(source, scenario, vary))) return;
      while (!this.#cancelled && next < outline.points) {
        const row = await engine.sweepPoint(next++);
        if (!row) return;
        onRow(row);
      }
    };
    try {
      await Promise.all(this.#engines.map(work));
    } catch (error) {
      if (!this.#cancelled) throw error; // a worker that a cancel ended has nothing to tell
    } finally {
      this.#stop();
    }
    return !this.#cancelled;
  }

  /** Ends the workers. The rows that were heard stay good. */
  cancel() {
    this.#cancelled = true;
    this.#stop();
  }

  #stop() {
    for (const engine of this.#engines.splice(0)) engine.restart();
  }
}
