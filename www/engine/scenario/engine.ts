// The page's side of the worker that owns the scenario.

import * as Comlink from 'comlink';
import { EngineWorker } from '../engine-worker';
import { Hashes } from '../hashes';
import type { OnProgress, Opened, Source } from '../protocol';
import type {
  CountFilter,
  FigureKind,
  Look,
  Parameter,
  PresetInfo,
  Report,
  Scenario,
  SweepOutline,
  SweepRow,
  SweepTable,
  GpuWhyReport,
  WhyReport,
} from '../types';
import type { LaunchOutline } from './cuda';

/** Seeds that are drawn have six digits at most. */
const LARGEST_DRAWN = 999_999;
const unheard: OnProgress = () => {};

export class Engine {
  readonly #worker = new EngineWorker('scenario');
  /** What the worker holds, and since which worker. */
  #opened: { source: Source; generation: number } | null = null;
  #hashes: Hashes | null = null;

  /** Counts the workers used so far. What an earlier one held is gone. */
  get generation(): number {
    return this.#worker.generation;
  }

  /** Told when the worker fails on its own. */
  set onCrash(told: (error: unknown) => void) {
    this.#worker.onCrash = told;
  }

  /** A short question. */
  readonly ask: EngineWorker<'scenario'>['call'] = (question) => this.#worker.call(question);

  /** The same, for an answer that does not depend on what was opened or run. */
  readonly #tell: EngineWorker<'scenario'>['stateless'] = (question) => this.#worker.stateless(question);

  /** Ends the worker; the next call starts another. */
  restart() {
    this.#worker.stop();
  }

  presets(): Promise<PresetInfo[]> {
    return this.#tell((r) => r.presets());
  }

  /** Reads the source and runs its CUDA text. `null` when cancelled. */
  async open(source: Source, onRead: OnProgress, onEmulate: OnProgress): Promise<Opened | null> {
    this.#opened = null;
    const hashes = (this.#hashes = new Hashes());
    const making = source.files.map((file) => hashes.of(file));
    for (const hash of making) hash?.catch(() => {}); // waited for below, unless the reading fails before
    try {
      const hashed = making.map((hash) => hash !== undefined);
      if (!(await this.#worker.job((r) => r.read(source, hashed, Comlink.proxy(onRead))))) return null;
      const made = await Promise.all(making.map((hash) => hash ?? Promise.resolve(undefined)));
      if (made.includes(null)) return null;
      const ready = made as (string | undefined)[];
      const opened = await this.#worker.job((r) => r.finish(ready, Comlink.proxy(onEmulate)));
      if (opened) this.#opened = { source, generation: this.generation };
      return opened;
    } finally {
      hashes.stop();
    }
  }

  #holds(source: Source): boolean {
    return this.#opened?.source === source && this.#opened.generation === this.generation;
  }

  /** Reads the source if this worker does not hold it; false when cancelled. */
  async hold(source: Source): Promise<boolean> {
    return this.#holds(source) || (await this.open(source, unheard, unheard)) !== null;
  }

  /** Runs the scenario on the source. `null` when cancelled. */
  async run(source: Source, scenario: Scenario, onProgress: OnProgress): Promise<Report | null> {
    if (!(await this.hold(source))) return null;
    return this.#worker.job<Report | null>((r) => r.run(scenario, Comlink.proxy(onProgress)));
  }

  /** Runs the scenario once more and counts a part of its requests. `null` when cancelled. */
  async count(source: Source, scenario: Scenario, part: CountFilter, onProgress: OnProgress): Promise<Report | null> {
    if (!(await this.hold(source))) return null;
    return this.#worker.job<Report | null>((r) => r.count(scenario, part, Comlink.proxy(onProgress)));
  }

  /** Makes the points of a sweep; each text is one that `warpscope sweep --vary` takes. `null` when cancelled. */
  async sweepPlan(source: Source, scenario: Scenario, vary: string[]): Promise<SweepOutline | null> {
    return (await this.hold(source)) ? this.ask((r) => r.sweepPlan(scenario, vary)) : null;
  }

  /** Runs a point of the plan. `null` when cancelled. */
  sweepPoint(point: number): Promise<SweepRow | null> {
    return this.#worker.job<SweepRow | null>((r) => r.sweepPoint(point));
  }

  sweepFigure(table: SweepTable, measure: string, look: Look): Promise<string> {
    return this.ask((r) => r.sweepFigure(table, measure, look));
  }

  sweepCsv(table: SweepTable): Promise<string> {
    return this.ask((r) => r.sweepCsv(table));
  }

  /** Answers a question about an access of a kernel. `null` when cancelled, or when another question came. */
  async why(
    source: Source,
    scenario: Scenario,
    kernel: number,
    question: Record<string, string>,
    onProgress: OnProgress,
  ): Promise<WhyReport | GpuWhyReport | null> {
    if (!(await this.hold(source))) return null;
    return this.#worker.job<WhyReport | GpuWhyReport | null>((r) =>
      r.why(scenario, kernel, question, Comlink.proxy(onProgress)),
    );
  }

  /** Soft at first: the worker stops between two steps. If it does not answer in time, it is ended. */
  async cancel(): Promise<void> {
    this.#hashes?.stop();
    await this.#worker.cancel();
  }

  parameters(gpu: string, model: string): Promise<Parameter[]> {
    return this.#tell((r) => r.parameters(gpu, model));
  }

  /** Bytes that the run is estimated to take; null while the worker does not hold the source. */
  async estimate(source: Source, scenario: Scenario): Promise<number | null> {
    return this.#holds(source) ? this.ask((r) => r.estimate(scenario)) : null;
  }

  figure(kernel: number, kind: FigureKind | `part.${FigureKind}`, look: Look, base?: Float64Array): Promise<string> {
    return this.ask((r) => r.figure(kernel, kind, look, base));
  }

  link(scenario: Scenario): Promise<string> {
    return this.#tell((r) => r.link(scenario));
  }

  parseLink(hash: string): Promise<Scenario> {
    return this.#tell((r) => r.parseLink(hash));
  }

  reportJson(view: Record<string, string>): Promise<string> {
    return this.ask((r) => r.reportJson(view));
  }

  reportCsv(view: Record<string, string>): Promise<string> {
    return this.ask((r) => r.reportCsv(view));
  }

  topologyJson(gpu: string): Promise<string> {
    return this.#tell((r) => r.topologyJson(gpu));
  }

  /** A seed by chance, short enough to be read out. */
  drawSeed(): Promise<number> {
    return this.#tell((r) => r.drawSeed(LARGEST_DRAWN));
  }

  /** The text of a kernel of the library. */
  exampleText(id: string): Promise<string> {
    return this.#tell((r) => r.exampleText(id));
  }

  /** The index and text of each file that runs, joined with the files that it includes. */
  joinFiles(paths: string[], texts: string[]): Promise<[number, string][]> {
    return this.#tell((r) => r.joinFiles(paths, texts));
  }

  outline(text: string): Promise<LaunchOutline[]> {
    return this.#tell((r) => r.outline(text));
  }

  /** A launch of the source's CUDA text, counted from 0, as a file; `null` when cancelled. */
  async trace(source: Source, launch: number, format: 'trc' | 'traceg'): Promise<Uint8Array<ArrayBuffer> | null> {
    if (!(await this.hold(source))) return null;
    return this.ask((r) => r.trace(launch, format));
  }

  /** An array of the source's CUDA text; `null` when cancelled. */
  async arrayCsv(source: Source, name: string): Promise<string | null> {
    return (await this.hold(source)) ? this.ask((r) => r.arrayCsv(name)) : null;
  }
}
