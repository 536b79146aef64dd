// The worker: holds the one engine instance, feeds it files and lets it work in short steps.

import * as Comlink from 'comlink';
import init, { Lab } from '../../pkg/first/warpscope';
import type { Catalogue, EngineService, OnProgress, Source } from './protocol';
import { inSteps, streamFiles } from './steps';
import type { FigureKind, Intake, Report, Scenario, StepOutcome } from './types';

const FIRST_BUDGET = 20_000;

class Service implements EngineService {
  #made: Lab | null = null;
  #cancelled = false;

  get #lab(): Lab {
    if (!this.#made) throw new Error('the engine was used before it was started');
    return this.#made;
  }

  async boot(): Promise<Catalogue> {
    await init();
    this.#made = new Lab();
    return { presets: this.#made.presets(), examples: this.#made.examples() };
  }

  async open(source: Source, onProgress: OnProgress): Promise<Intake | null> {
    this.#cancelled = false;
    this.#lab.clear();
    let intake = source.example === null ? null : (this.#lab.load_example(source.example) as Intake);
    if (source.files.length > 0 || intake === null) {
      if (!(await this.#read(source.files, onProgress))) return null;
      intake = this.#lab.finish_intake() as Intake;
    }
    return intake;
  }

  #read(files: File[], onProgress: OnProgress): Promise<boolean> {
    const lab = this.#lab;
    const to = { begin: (name: string) => lab.begin_file(name), push: (chunk: Uint8Array) => lab.push(chunk), end: () => lab.end_file() };
    return streamFiles(files, to, onProgress, () => this.#cancelled);
  }

  parameters(gpu: string, model: string) {
    return this.#lab.parameters(gpu, model);
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

  reportJson(): string {
    return this.#lab.report_json();
  }

  reportCsv(): string {
    return this.#lab.report_csv();
  }

  topologyJson(gpu: string): string {
    return this.#lab.topology_json(gpu);
  }
}

Comlink.expose(new Service());
