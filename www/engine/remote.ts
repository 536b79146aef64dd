// The page's side of a worker that can be cancelled: calls, soft and hard cancel, and a fresh worker after a loss.

import * as Comlink from 'comlink';
import { EngineLost } from './lost';

/** A cancel that was not heard by then ends the worker. */
const PATIENCE_MS = 100;

interface Service {
  boot(): Promise<void>;
  cancel(): void;
}

export class RemoteWorker<S extends Service> {
  #worker: Worker | null = null;
  #remote: Comlink.Remote<S> | null = null;
  #lost: Promise<never> = new Promise(() => {});
  #lose: (error: EngineLost) => void = () => {};
  #ready: Promise<void> = Promise.resolve();
  #busy = 0;
  /** Counts the workers used so far. What an earlier one held is gone. */
  generation = 0;

  /** `make` starts the worker's script; the first call does so. */
  constructor(private readonly make: () => Worker) {}

  #start(): Comlink.Remote<S> {
    if (this.#remote) return this.#remote;
    const worker = this.make();
    this.#lost = new Promise<never>((_, reject) => (this.#lose = reject));
    this.#lost.catch(() => {}); // a loss that no call waits for is not an error
    worker.onerror = (event) => {
      event.preventDefault();
      const lose = this.#lose;
      this.#forget();
      lose(new EngineLost(false, event.message || 'the worker could not be loaded'));
    };
    const remote = Comlink.wrap<S>(worker);
    [this.#worker, this.#remote] = [worker, remote];
    this.#ready = Promise.race([Promise.resolve((remote as unknown as Comlink.Remote<Service>).boot()), this.#lost]);
    this.#ready.catch(() => {}); // whoever calls hears of it
    return remote;
  }

  #forget() {
    this.#worker?.terminate();
    [this.#worker, this.#remote] = [null, null];
    this.generation += 1;
  }

  /** A call that is answered soon. */
  async call<T>(ask: (remote: Comlink.Remote<S>) => Promise<T>): Promise<T> {
    const remote = this.#start();
    const lost = this.#lost;
    await this.#ready;
    return Promise.race([ask(remote), lost]);
  }

  /** A call that a cancel may end; `null` then. */
  async job<T>(ask: (remote: Comlink.Remote<S>) => Promise<T | null>): Promise<T | null> {
    this.#busy += 1;
    try {
      return await this.call(ask);
    } catch (error) {
      if (error instanceof EngineLost && error.wanted) return null;
      throw error;
    } finally {
      this.#busy -= 1;
    }
  }

  /** Soft at first: the worker stops between two steps. If it does not answer in time, it is ended. */
  async cancel(): Promise<void> {
    const remote = this.#remote;
    if (this.#busy === 0 || !remote) return;
    const generation = this.generation;
    const heard = (remote as unknown as Comlink.Remote<Service>).cancel().then(
      () => true,
      () => true,
    );
    const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), PATIENCE_MS));
    if (!(await Promise.race([heard, late])) && generation === this.generation) this.stop();
  }

  /** Ends the worker at once; the next call starts another. */
  stop() {
    const lose = this.#lose;
    this.#forget();
    lose(new EngineLost(true, 'the worker was stopped'));
  }
}
