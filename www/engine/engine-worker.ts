// The page's side of a worker: it starts one when it is first needed, calls it, cancels softly and then hard, and starts
// another after a loss. A loss is a fault of the engine, an error of the worker, or silence.

import * as Comlink from 'comlink';
import { EngineLost, isPageError, isWanted } from './lost';
import { engineModule } from './module';
import { ALIVE, type ServiceName, type Services } from './services';

/** A cancel that was not heard by then ends the job for the one who waits for it. */
const PATIENCE_MS = 100;
/** A cancel that was not heard by then ends the worker, and what it holds is gone. A slow machine may need this long. */
const DEAF_MS = 1000;

/**
 * A worker that closes itself makes no event, and neither does one that never ends a step. So it is asked whether it is alive
 * while a call waits. Steps take 20 ms, and the longest calls without steps a few seconds.
 */
const ASK_MS = 1000;
/** Questions in a row without an answer, after which the worker counts as lost. A sleeping machine asks none. */
const MOST_UNANSWERED = 20;

interface Running<S> {
  worker: Worker;
  remote: Comlink.Remote<S>;
  /** Why the worker is gone. */
  gone: EngineLost | null;
  /** Told when it goes. One promise for all calls would keep a reaction of each call for as long as the worker lives. */
  readonly hear: Set<(error: EngineLost) => void>;
  /** Resolves when the worker has the compiled engine. */
  booted: Promise<void>;
  hasBooted: boolean;
  /** Calls in flight, and the timer that asks for a sign of life meanwhile. */
  calls: number;
  timer: ReturnType<typeof setInterval> | undefined;
  unanswered: number;
}

/** `work`, or the loss of the worker if that comes first. */
function orLost<S, T>(now: Running<S>, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (now.gone) reject(now.gone);
    now.hear.add(reject);
    void work.then(resolve, reject).then(() => now.hear.delete(reject));
  });
}

function tellLoss<S>(now: Running<S>, error: EngineLost) {
  now.gone ??= error;
  now.hear.forEach((reject) => reject(error));
  now.hear.clear();
}

export class EngineWorker<Name extends ServiceName> {
  #now: Running<Services[Name]> | null = null;
  /** Calls in flight that a cancel may end. */
  #busy = 0;
  /** Ends the jobs that wait for the worker's start, and those that it works on. */
  readonly #waiting = new Set<() => void>();
  readonly #begun = new Set<() => void>();
  /** Counts the cancels: a job from before the last one that has not begun yet is not begun. */
  #cancels = 0;
  /** The last cancel. A job begins after it, since its end may take the worker along. */
  #cancelling: Promise<void> = Promise.resolve();
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
    const booted = engineModule().then((module) => worker.postMessage({ module, service: this.service }));
    const now: Running<Services[Name]> = {
      worker,
      remote: Comlink.wrap<Services[Name]>(worker),
      gone: null,
      hear: new Set(),
      booted,
      hasBooted: false,
      calls: 0,
      timer: undefined,
      unanswered: 0,
    };
    worker.addEventListener('message', () => (now.unanswered = 0));
    booted.then(
      () => (now.hasBooted = true),
      () => this.#forget(now), // whoever calls hears of it; the next call tries again
    );
    worker.onerror = (event) => {
      event.preventDefault();
      this.#lose(now, event.message || 'the worker could not be loaded');
    };
    return (this.#now = now);
  }

  /** Ends a worker that failed. Calls in flight hear of it, and the next one starts another worker. */
  #lose(failed: Running<Services[Name]>, why: string, stack?: string): EngineLost {
    const error = new EngineLost(false, why);
    if (stack !== undefined) error.stack = stack;
    this.#forget(failed);
    tellLoss(failed, error);
    this.onCrash(error);
    return error;
  }

  #forget(gone: Running<Services[Name]>) {
    gone.worker.terminate();
    clearInterval(gone.timer);
    if (this.#now !== gone) return;
    this.#now = null;
    this.generation += 1;
  }

  /** A call that is answered soon; the first one starts the worker. */
  async call<T>(ask: (remote: Comlink.Remote<Services[Name]>) => Promise<T>): Promise<T> {
    const now = this.#start();
    await orLost(now, now.booted);
    this.#watch(now, 1);
    try {
      return await orLost(now, ask(now.remote));
    } catch (error) {
      // The engine answers with messages. Anything else is a fault inside it, and its memory cannot be trusted any more.
      if (isPageError(error) || error instanceof EngineLost) throw error;
      const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
      throw this.#lose(now, `${name}: ${message}`, stack);
    } finally {
      this.#watch(now, -1);
    }
  }

  /** A call that needs nothing of what the worker holds: where a cancel ends the worker under it, the next one answers. */
  async stateless<T>(ask: (remote: Comlink.Remote<Services[Name]>) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await this.call(ask);
      } catch (error) {
        if (!isWanted(error)) throw error;
      }
    }
  }

  /** Counts the calls in flight, and asks for a sign of life while there are some. */
  #watch(now: Running<Services[Name]>, change: 1 | -1) {
    now.calls += change;
    clearInterval(now.timer);
    if (now.calls === 0 || now !== this.#now) return;
    now.unanswered = 0;
    now.timer = setInterval(() => {
      now.unanswered += 1;
      if (now.unanswered > MOST_UNANSWERED) this.#lose(now, `the worker has not answered for ${MOST_UNANSWERED} s`);
      else now.worker.postMessage(ALIVE);
    }, ASK_MS);
  }

  /** A call that a cancel may end; `null` then. */
  async job<T>(ask: (remote: Comlink.Remote<Services[Name]>) => Promise<T | null>): Promise<T | null> {
    const cancels = this.#cancels;
    let leave = () => {};
    const left = new Promise<null>((resolve) => (leave = () => resolve(null)));
    const begin = (remote: Comlink.Remote<Services[Name]>) => {
      this.#waiting.delete(leave);
      this.#begun.add(leave);
      return cancels === this.#cancels ? ask(remote) : Promise.resolve(null);
    };
    this.#waiting.add(leave);
    this.#busy += 1;
    try {
      const done = this.#cancelling.then(() => this.call(begin));
      return await Promise.race([done, left]);
    } catch (error) {
      if (isWanted(error)) return null;
      throw error;
    } finally {
      this.#waiting.delete(leave);
      this.#begun.delete(leave);
      this.#busy -= 1;
    }
  }

  /** Soft at first: the worker stops between two steps. If it does not answer in time, it is ended. */
  cancel(): Promise<void> {
    const now = this.#now;
    if (this.#busy === 0 || !now) return this.#cancelling;
    this.#cancels += 1;
    // The start can take long. A job that waits for it ends now, and is not begun later.
    this.#waiting.forEach((leave) => leave());
    return (this.#cancelling = this.#cancelling.then(() => this.#end(now)));
  }

  /** Ends the job that a worker works on. */
  async #end(now: Running<Services[Name]>): Promise<void> {
    if (!now.hasBooted || now !== this.#now) return;
    const { cancel } = now.remote as unknown as { cancel: () => Promise<void> };
    const heard = cancel().then(
      () => true,
      () => true,
    );
    const within = (ms: number) =>
      Promise.race([heard, new Promise<boolean>((resolve) => setTimeout(() => resolve(false), ms))]);
    if (await within(PATIENCE_MS)) return;
    this.#begun.forEach((leave) => leave());
    if (!(await within(DEAF_MS - PATIENCE_MS)) && now === this.#now) this.stop();
  }

  /** Ends the worker at once; the next call starts another. */
  stop() {
    const now = this.#now;
    if (!now) return;
    this.#forget(now);
    tellLoss(now, new EngineLost(true, 'the worker was stopped'));
  }
}
