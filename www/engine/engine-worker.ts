// The page's side of a worker: it starts one when it is first needed, calls it, cancels softly and then hard, and starts
// another after a loss.

import * as Comlink from 'comlink';
import { EngineLost } from './lost';
import { engineModule } from './module';
import type { ServiceName, Services } from './services';

/** A cancel that was not heard by then ends the worker. */
const PATIENCE_MS = 100;

interface Running<S> {
  worker: Worker;
  remote: Comlink.Remote<S>;
  /** Rejects when the worker is gone. */
  lost: Promise<never>;
  lose: (error: EngineLost) => void;
  /** Resolves when the worker has the compiled engine. */
  booted: Promise<void>;
  hasBooted: boolean;
}

export class EngineWorker<Name extends ServiceName> {
  #now: Running<Services[Name]> | null = null;
  /** Calls in flight that a cancel may end. */
  #busy = 0;
  /** Ends the jobs that wait for the worker's start. */
  readonly #waiting = new Set<() => void>();
  /** Counts the cancels: a job from before the last one that has not begun yet is not begun. */
  #cancels = 0;
  /** Counts the workers used so far. What an earlier one held is gone. */
  generation = 0;
  /** Told when the worker fails on its own. */
  onCrash: (error: EngineLost) => void = () => {};

  constructor(private readonly service: Name) {}

  #start(): Running<Services[Name]> {
    if (this.#now) return this.#now;
    const worker = new Worker(new URL(/* webpackChunkName: 'worker' */ './worker.ts', import.meta.url), {
      type: 'module',
    });
    let lose: Running<Services[Name]>['lose'] = () => {};
    const lost = new Promise<never>((_, reject) => (lose = reject));
    lost.catch(() => {}); // a loss that no call waits for is not an error
    const booted = engineModule().then((module) => worker.postMessage({ module, service: this.service }));
    const now: Running<Services[Name]> = {
      worker,
      remote: Comlink.wrap<Services[Name]>(worker),
      lost,
      lose,
      booted,
      hasBooted: false,
    };
    booted.then(
      () => (now.hasBooted = true),
      () => this.#forget(now), // whoever calls hears of it; the next call tries again
    );
    worker.onerror = (event) => {
      event.preventDefault();
      const error = new EngineLost(false, event.message || 'the worker could not be loaded');
      this.#forget(now);
      lose(error);
      this.onCrash(error);
    };
    return (this.#now = now);
  }

  #forget(gone: Running<Services[Name]>) {
    gone.worker.terminate();
    if (this.#now !== gone) return;
    this.#now = null;
    this.generation += 1;
  }

  /** A call that is answered soon; the first one starts the worker. */
  async call<T>(ask: (remote: Comlink.Remote<Services[Name]>) => Promise<T>): Promise<T> {
    const { remote, lost, booted } = this.#start();
    await Promise.race([booted, lost]);
    return Promise.race([ask(remote), lost]);
  }

  /** A call that a cancel may end; `null` then. */
  async job<T>(ask: (remote: Comlink.Remote<Services[Name]>) => Promise<T | null>): Promise<T | null> {
    const cancels = this.#cancels;
    let leave = () => {};
    const left = new Promise<null>((resolve) => (leave = () => resolve(null)));
    const begin = (remote: Comlink.Remote<Services[Name]>) => {
      this.#waiting.delete(leave);
      return cancels === this.#cancels ? ask(remote) : Promise.resolve(null);
    };
    this.#waiting.add(leave);
    this.#busy += 1;
    try {
      return await Promise.race([this.call(begin), left]);
    } catch (error) {
      if (error instanceof EngineLost && error.wanted) return null;
      throw error;
    } finally {
      this.#waiting.delete(leave);
      this.#busy -= 1;
    }
  }

  /** Soft at first: the worker stops between two steps. If it does not answer in time, it is ended. */
  async cancel(): Promise<void> {
    const now = this.#now;
    if (this.#busy === 0 || !now) return;
    this.#cancels += 1;
    // The start can take long. A job that waits for it ends now, and is not begun later.
    this.#waiting.forEach((leave) => leave());
    if (!now.hasBooted) return;
    const { cancel } = now.remote as unknown as { cancel: () => Promise<void> };
    const heard = cancel().then(
      () => true,
      () => true,
    );
    const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), PATIENCE_MS));
    if (!(await Promise.race([heard, late])) && now === this.#now) this.stop();
  }

  /** Ends the worker at once; the next call starts another. */
  stop() {
    const now = this.#now;
    if (!now) return;
    this.#forget(now);
    now.lose(new EngineLost(true, 'the worker was stopped'));
  }
}
