// The worker: holds the one engine instance, feeds it files and lets it work in short steps.

import * as Comlink from 'comlink';
import init, { Lab } from '../../pkg/first/warpscope';
import { breathe, nextBudget } from './pace';
import type { Catalogue, EngineService, OnProgress, Source } from './protocol';
import type { FigureKind, Intake, Report, Scenario, StepOutcome } from './types';

const FIRST_BUDGET = 20_000;
const SAY_EVERY_MS = 50;

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

  /** Streams the files into the engine; false when cancelled. Never holds a whole file. */
  async #read(files: File[], onProgress: OnProgress): Promise<boolean> {
    const total = files.reduce((sum, file) => sum + file.size, 0);
    const say = sparingly(onProgress);
    let done = 0;
    for (const file of files) {
      this.#lab.begin_file(file.name);
      const reader = file.stream().getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        this.#lab.push(part.value);
        done += part.value.length;
        say(done, total);
        await breathe();
        if (this.#cancelled) {
          await reader.cancel();
          return false;
        }
      }
      this.#lab.end_file();
    }
    return true;
  }

  parameters(gpu: string, model: string) {
    return this.#lab.parameters(gpu, model);
  }

  async run(scenario: Scenario, onProgress: OnProgress): Promise<Report | null> {
    this.#cancelled = false;
    this.#lab.start(scenario);
    const say = sparingly(onProgress);
    for (let budget = FIRST_BUDGET; ; ) {
      const began = performance.now();
      const { done, total, report } = this.#lab.step(budget) as StepOutcome;
      if (report) return report;
      budget = nextBudget(budget, performance.now() - began);
      say(done, total);
      await breathe();
      if (this.#cancelled) return null;
    }
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

/** Progress a person can follow; more messages would only cost time. */
function sparingly(onProgress: OnProgress): OnProgress {
  let last = 0;
  return (done, total) => {
    const now = performance.now();
    if (now - last < SAY_EVERY_MS) return;
    last = now;
    onProgress(done, total);
  };
}

Comlink.expose(new Service());
