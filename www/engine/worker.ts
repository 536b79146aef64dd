// The worker: holds the one engine instance, feeds it files and lets it work in short steps.

import * as Comlink from 'comlink';
import init, { Lab } from '../../pkg/first/warpscope';
import { Hashes } from './hashes';
import { inputs, type Catalogue, type EngineService, type OnProgress, type Source } from './protocol';
import { inSteps, streamFiles } from './steps';
import type { FigureKind, Intake, Report, Scenario, StepOutcome } from './types';

const FIRST_BUDGET = 20_000;

class Service implements EngineService {
  #made: Lab | null = null;
  #cancelled = false;
  #hashes = new Hashes();

  get #lab(): Lab {
    if (!this.#made) throw new Error('the engine was used before it was started');
    return this.#made;
  }

  async boot(): Promise<Catalogue> {
    await init();
    this.#made = new Lab();
    return { presets: this.#made.presets() };
  }

  async open(source: Source, onProgress: OnProgress): Promise<Intake | null> {
    this.#cancelled = false;
    this.#lab.clear();
    return (await this.#readAll(source, onProgress)) ? (this.#lab.finish_intake() as Intake) : null;
  }

  /** Reads the files with their hashes; false when cancelled. */
  async #readAll(source: Source, onProgress: OnProgress): Promise<boolean> {
    this.#hashes = new Hashes();
    const files = inputs(source);
    // A recording brings the hash of its text.
    const recordings = new Set(Object.values(source.recordings ?? {}));
    const hashes = files.map((file) => (recordings.has(file) ? undefined : this.#hashes.of(file)));
    hashes.forEach((hash) => hash?.catch(() => {})); // waited for below, unless the reading fails before
    try {
      if (
        !(await this.#read(
          files,
          source.reading,
          hashes.map((hash) => hash !== undefined),
          onProgress,
        ))
      )
        return false;
      for (const [i, hash] of hashes.entries()) {
        const made = await hash;
        if (typeof made === 'string') this.#lab.set_hash(i, made);
      }
      return !this.#cancelled;
    } finally {
      this.#hashes.stop();
    }
  }

  /** Streams the files into the engine; false when cancelled. */
  #read(files: File[], reading: Source['reading'], hashed: boolean[], onProgress: OnProgress): Promise<boolean> {
    const lab = this.#lab;
    const begin = (file: File, i: number) => {
      const { name = file.name, format = null } = reading?.[i] ?? {};
      if (format === null) lab.begin_file(name);
      else lab.begin_file_as(name, format);
      if (hashed[i]) lab.leave_hash();
    };
    const to = { begin, push: (chunk: Uint8Array) => lab.push(chunk), end: () => lab.end_file() };
    return streamFiles(files, to, onProgress, () => this.#cancelled);
  }

  parameters(gpu: string, model: string) {
    return this.#lab.parameters(gpu, model);
  }

  estimate(scenario: Scenario): number {
    return this.#lab.estimate(scenario);
  }

  async run(scenario: Scenario, onProgress: OnProgress): Promise<Report | null> {
    this.#cancelled = false;
    this.#lab.start(scenario);
    const step = (budget: number) => {
      const { done, total, report } = this.#lab.step(budget) as StepOutcome;
      return { done, total, value: report };
    };
    return (await inSteps(FIRST_BUDGET, step, onProgress, () => this.#cancelled))?.value ?? null;
  }

  cancel() {
    this.#cancelled = true;
    this.#hashes.stop();
  }

  figure(kernel: number, kind: FigureKind, width: number, dark: boolean): string {
    return this.#lab.figure(kernel, kind, width, dark);
  }

  link(scenario: Scenario): string {
    return this.#lab.link(scenario);
  }

  parseLink(hash: string): Scenario {
    return this.#lab.parse_link(hash);
  }

  reportJson(view: Record<string, string>): string {
    return this.#lab.report_json(view);
  }

  reportCsv(view: Record<string, string>): string {
    return this.#lab.report_csv(view);
  }

  topologyJson(gpu: string): string {
    return this.#lab.topology_json(gpu);
  }
}

Comlink.expose(new Service());
