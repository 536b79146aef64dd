// The page's side of the worker: typed calls, cancel that always works, and a fresh worker when the old one is lost.

import * as Comlink from 'comlink';
import { EngineLost, isPageError } from './lost';
import type { Catalogue, EngineService, OnProgress, Source } from './protocol';
import type { FigureKind, Intake, Parameter, Report, Scenario } from './types';

export { EngineLost, isPageError };

/** A cancel that was not heard by then ends the worker. */
const PATIENCE_MS = 100;

export class Engine {
  #worker: Worker;
  #remote: Comlink.Remote<EngineService>;
  #lost: Promise<never>;
  #lose: (error: EngineLost) => void = () => {};
  #opened: Source | null = null;
  /** Calls in flight that a cancel may end. */
  #busy = 0;
  #ready: Promise<Catalogue>;
  /** Counts the workers used so far. What an earlier one held is gone. */
  generation = 0;
  /** Told when the worker fails on its own. */
  onCrash: (error: unknown) => void = () => {};

  constructor() {
    [this.#worker, this.#remote, this.#lost] = this.#spawn();
    this.#ready = this.#call((remote) => remote.boot());
  }

  #spawn(): [Worker, Comlink.Remote<EngineService>, Promise<never>] {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    const lost = new Promise<never>((_, reject) => (this.#lose = reject));
    lost.catch(() => {}); // a loss that no call waits for is not an error
    worker.onerror = (event) => {
      event.preventDefault();
      const error = new EngineLost(false, event.message || 'the worker could not be loaded');
      this.#lose(error);
      this.onCrash(error);
    };
    return [worker, Comlink.wrap<EngineService>(worker), lost];
  }

  /** Ends the worker at once and starts another. Calls in flight are rejected; the page lives on. */
  restart(): Promise<Catalogue> {
    this.#worker.terminate();
    this.#lose(new EngineLost(true, 'the worker was stopped'));
    [this.#worker, this.#remote, this.#lost] = this.#spawn();
    this.#opened = null;
    this.generation += 1;
    this.#ready = this.#call((remote) => remote.boot());
    this.#ready.catch(() => {}); // whoever needs the engine next hears of it
    return this.#ready;
  }

  #call<T>(ask: (remote: Comlink.Remote<EngineService>) => Promise<T>): Promise<T> {
    return Promise.race([ask(this.#remote), this.#lost]);
  }

  boot(): Promise<Catalogue> {
    return this.#ready;
  }

  /** Reads the source unless the worker already holds it. `null` when cancelled. */
  async open(source: Source, onProgress: OnProgress): Promise<Intake | null> {
    await this.#ready;
    this.#opened = null;
    const intake = await this.#cancellable((remote) => remote.open(source, Comlink.proxy(onProgress)));
    if (intake) this.#opened = source;
    return intake;
  }

  /** Runs the scenario on the source, reading it again if this worker does not hold it. `null` when cancelled. */
  async run(source: Source, scenario: Scenario, onProgress: OnProgress): Promise<Report | null> {
    if (this.#opened !== source && !(await this.open(source, () => {}))) return null;
    return this.#cancellable((remote) => remote.run(scenario, Comlink.proxy(onProgress)));
  }

  async #cancellable<T>(ask: (remote: Comlink.Remote<EngineService>) => Promise<T | null>): Promise<T | null> {
    this.#busy += 1;
    try {
      return await this.#call(ask);
    } catch (error) {
      if (error instanceof EngineLost && error.wanted) return null;
      throw error;
    } finally {
      this.#busy -= 1;
    }
  }

  /** Soft at first: the worker stops between two steps. If it does not answer in time, it is ended. */
  async cancel(): Promise<void> {
    if (this.#busy === 0) return;
    const generation = this.generation;
    const heard = this.#remote.cancel().then(
      () => true,
      () => true,
    );
    const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), PATIENCE_MS));
    if (!(await Promise.race([heard, late])) && generation === this.generation) {
      this.restart().catch(() => {});
    }
  }

  async parameters(gpu: string, model: string): Promise<Parameter[]> {
    await this.#ready;
    return this.#call((remote) => remote.parameters(gpu, model));
  }

  /** Bytes that the run is estimated to take; null while the worker does not hold the source. */
  async estimate(source: Source, scenario: Scenario): Promise<number | null> {
    await this.#ready;
    return this.#opened === source ? this.#call((remote) => remote.estimate(scenario)) : null;
  }

  figure(kernel: number, kind: FigureKind, width: number, dark: boolean): Promise<string> {
    return this.#call((remote) => remote.figure(kernel, kind, width, dark));
  }

  link(scenario: Scenario): Promise<string> {
    return this.#call((remote) => remote.link(scenario));
  }

  async parseLink(hash: string): Promise<Scenario> {
    await this.#ready;
    return this.#call((remote) => remote.parseLink(hash));
  }

  reportJson(view: Record<string, string>): Promise<string> {
    return this.#call((remote) => remote.reportJson(view));
  }

  reportCsv(view: Record<string, string>): Promise<string> {
    return this.#call((remote) => remote.reportCsv(view));
  }

  topologyJson(gpu: string): Promise<string> {
    return this.#call((remote) => remote.topologyJson(gpu));
  }
}
