// The workers of a sweep: the one that holds the source, and others that open it. Each runs one point after the other.

import type { Source } from '../protocol';
import type { Scenario, SweepOutline, SweepRow } from '../types';
import { Engine } from './engine';

/** Each worker holds the kernels' traces, so that many of them would take much memory. */
const MOST_WORKERS = 8;

const workersFor = (points: number) => Math.min(MOST_WORKERS, navigator.hardwareConcurrency || 2, points);

export class SweepPool {
  /** Workers that this pool started. */
  #own: Engine[] = [];
  #first: Engine | null = null;
  #cancelled = false;
  #running = false;
  /** What prepared workers open. */
  readonly #ready = new Map<Engine, { source: Source; done: Promise<boolean> }>();

  /** Starts the other workers and has them open the source, so that a run need not wait for it. */
  prepare(source: Source) {
    if (this.#running) return;
    this.#grow(workersFor(MOST_WORKERS) - 1);
    for (const engine of this.#own) {
      const before = this.#ready.get(engine);
      if (before?.source === source) continue;
      // One after the other: a worker opens one source at a time. What goes wrong, the run tells.
      const done = (before?.done ?? Promise.resolve(true)).then(() => engine.hold(source)).catch(() => false);
      this.#ready.set(engine, { source, done });
    }
  }

  /** Ends workers that wait for a run. */
  release() {
    if (!this.#running) this.#stop();
  }

  #grow(count: number) {
    while (this.#own.length < count) this.#own.push(new Engine());
  }

  /**
   * Runs all points of `outline`, which `first` has planned from the same scenario and texts. `onRow` hears each row when it is
   * done. False when cancelled.
   */
  async run(
    first: Engine,
    source: Source,
    scenario: Scenario,
    vary: string[],
    outline: SweepOutline,
    onRow: (row: SweepRow) => void,
  ): Promise<boolean> {
    this.#cancelled = false;
    this.#running = true;
    this.#first = first;
    const others = workersFor(outline.points) - 1;
    this.#grow(others);
    const points = Array.from({ length: outline.points }, (_, i) => i).reverse();
    const work = async (engine: Engine) => {
      await this.#ready.get(engine)?.done;
      if (engine !== first && !(await engine.sweepPlan(source, scenario, vary))) return;
      while (!this.#cancelled) {
        const point = points.pop();
        if (point === undefined) return;
        const row = await engine.sweepPoint(point);
        // The first worker is the page's: something else may have been asked of it. Another one takes the point.
        if (!row) return void points.push(point);
        onRow(row);
      }
    };
    try {
      await Promise.all([first, ...this.#own.slice(0, others)].map(work));
      return !this.#cancelled && points.length === 0;
    } catch (error) {
      if (!this.#cancelled) throw error; // a worker that a cancel ended has nothing to tell
      return false;
    } finally {
      this.#running = false;
      this.#stop();
    }
  }

  /** Ends the workers. The rows that were heard stay good. */
  cancel() {
    this.#cancelled = true;
    void this.#first?.cancel();
    this.#stop();
  }

  #stop() {
    this.#first = null;
    this.#ready.clear();
    for (const engine of this.#own.splice(0)) engine.restart();
  }
}
