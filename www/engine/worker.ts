// The worker: holds the one engine instance, feeds it files and lets it work in short steps.

import * as Comlink from 'comlink';
import init, { Lab } from '../../pkg/first/warpscope';
import { Hashes } from './hashes';
import { breathe, nextBudget, STEP_MS } from './pace';
import type { Catalogue, EngineService, OnProgress, Source } from './protocol';
import type { FigureKind, Intake, Report, Scenario, StepOutcome } from './types';

const FIRST_BUDGET = 20_000;
const SAY_EVERY_MS = 50;
/** Packed bytes can stand for a thousand times as many: a step must not take a whole part of a stream. */
const SLICE = 64 << 10;

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
    return { presets: this.#made.presets(), examples: this.#made.examples() };
  }

  async open(source: Source, onProgress: OnProgress): Promise<Intake | null> {
    this.#cancelled = false;
    this.#lab.clear();
    let intake = source.example === null ? null : (this.#lab.load_example(source.example) as Intake);
    if (source.files.length > 0 || intake === null) {
      if (!(await this.#readAll(source, onProgress))) return null;
      intake = this.#lab.finish_intake() as Intake;
    }
    return intake;
  }

  /** Reads the files with their hashes; false when cancelled. */
  async #readAll(source: Source, onProgress: OnProgress): Promise<boolean> {
    this.#hashes = new Hashes();
    const hashes = source.files.map((file) => this.#hashes.of(file));
    hashes.forEach((hash) => hash?.catch(() => {})); // waited for below, unless the reading fails before
    try {
      if (!(await this.#read(source, hashes.map((hash) => hash !== undefined), onProgress))) return false;
      for (const [i, hash] of hashes.entries()) {
        const made = await hash;
        if (typeof made === 'string') this.#lab.set_hash(i, made);
      }
      return !this.#cancelled;
    } finally {
      this.#hashes.stop();
    }
  }

  /** Streams the files into the engine; false when cancelled. Never holds a whole file. */
  async #read({ files, reading }: Source, hashed: boolean[], onProgress: OnProgress): Promise<boolean> {
    const total = files.reduce((sum, file) => sum + file.size, 0);
    const say = sparingly(onProgress);
    let done = 0;
    let breathed = performance.now();
    for (const [i, file] of files.entries()) {
      const { name = file.name, format = null } = reading?.[i] ?? {};
      if (format === null) this.#lab.begin_file(name);
      else this.#lab.begin_file_as(name, format);
      if (hashed[i]) this.#lab.leave_hash();
      const reader = file.stream().getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        for (let at = 0; at < part.value.length; at += SLICE) {
          const slice = part.value.subarray(at, at + SLICE);
          this.#lab.push(slice);
          done += slice.length;
          if (performance.now() - breathed < STEP_MS) continue;
          say(done, total);
          await breathe();
          breathed = performance.now();
          if (this.#cancelled) {
            await reader.cancel();
            return false;
          }
        }
      }
      this.#lab.end_file();
    }
    return true;
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
