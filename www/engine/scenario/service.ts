// The worker that owns the scenario: it holds one engine instance, feeds it files and lets it work in short steps.

import * as Comlink from 'comlink';
import {
  draw_seed,
  example_text,
  type FileStream,
  join_files,
  Lab,
  launch_outline,
  sweep_csv,
  sweep_drawing,
} from '../../../pkg/engine/warpscope';
import type { OnProgress, Opened, ScenarioService, Source } from '../protocol';
import { Cancels } from '../cancels';
import { beginSource, inSteps, streamFiles } from '../steps';
import type {
  CountFilter,
  FigureKind,
  Look,
  Report,
  Scenario,
  SweepRow,
  SweepTable,
  GpuWhyReport,
  WhyReport,
} from '../types';

/** Ticks of the first step of a run, and warp instructions of the first step of CUDA text. */
const FIRST_BUDGET = 20_000;

export class Scenarios implements ScenarioService {
  readonly #lab = new Lab();
  readonly #cancels = new Cancels();
  /** Counts the questions about accesses: a newer one ends the one before. */
  #questions = 0;

  presets() {
    return this.#lab.presets();
  }

  read(source: Source, hashed: boolean[], onProgress: OnProgress): Promise<boolean> {
    const isCancelled = this.#cancels.begin();
    const lab = this.#lab;
    lab.clear();
    beginSource(lab, source);
    const begin = (file: File, i: number) => {
      const { name = file.name, format = null } = source.reading?.[i] ?? {};
      if (format === null) lab.begin_file(name);
      else lab.begin_file_as(name, format);
      if (hashed[i]) lab.leave_hash();
    };
    const to = { begin, take: (stream: FileStream) => lab.take(stream), end: () => lab.end_file() };
    return streamFiles(source.files, to, onProgress, isCancelled);
  }

  async finish(hashes: (string | undefined)[], onProgress: OnProgress): Promise<Opened | null> {
    const isCancelled = this.#cancels.begin();
    this.#lab.begin_texts();
    hashes.forEach((hash, i) => hash !== undefined && this.#lab.set_hash(i, hash));
    const step = (budget: number) => {
      const { done, total, intake, text } = this.#lab.intake_step(budget);
      return { done, total, value: intake && { intake, text } };
    };
    return (await inSteps(FIRST_BUDGET, step, onProgress, isCancelled))?.value ?? null;
  }

  parameters(gpu: string, model: string) {
    return this.#lab.parameters(gpu, model);
  }

  estimate(scenario: Scenario): number {
    return this.#lab.estimate(scenario);
  }

  async run(scenario: Scenario, onProgress: OnProgress): Promise<Report | null> {
    this.#lab.start(scenario);
    return this.#finishRun(onProgress);
  }

  async #finishRun(onProgress: OnProgress): Promise<Report | null> {
    const isCancelled = this.#cancels.begin();
    const step = (budget: number) => {
      const { done, total, report } = this.#lab.step(budget);
      return { done, total, value: report };
    };
    return (await inSteps(FIRST_BUDGET, step, onProgress, isCancelled))?.value ?? null;
  }

  async count(scenario: Scenario, part: CountFilter, onProgress: OnProgress): Promise<Report | null> {
    this.#lab.start_counting(scenario, part);
    return this.#finishRun(onProgress);
  }

  cancel() {
    this.#cancels.cancel();
  }

  sweepPlan(scenario: Scenario, vary: string[]) {
    return this.#lab.sweep_plan(scenario, vary);
  }

  async sweepPoint(point: number): Promise<SweepRow | null> {
    const isCancelled = this.#cancels.begin();
    const row = this.#lab.start_point(point);
    if (row) return row;
    const step = (budget: number) => {
      const { done, total, row } = this.#lab.point_step(budget);
      return { done, total, value: row };
    };
    return (await inSteps(FIRST_BUDGET, step, () => {}, isCancelled))?.value ?? null;
  }

  sweepFigure(table: SweepTable, measure: string, look: Look): string {
    return sweep_drawing(table, measure, look);
  }

  sweepCsv(table: SweepTable): string {
    return sweep_csv(table);
  }

  async why(
    scenario: Scenario,
    kernel: number,
    question: Record<string, string>,
    onProgress: OnProgress,
  ): Promise<WhyReport | GpuWhyReport | null> {
    const isCancelled = this.#cancels.begin();
    const mine = ++this.#questions;
    this.#lab.start_why(scenario, kernel, question);
    const step = (budget: number) => {
      const { done, total, report, gpu } = this.#lab.why_step(budget);
      return { done, total, value: report ?? gpu };
    };
    const ended = () => isCancelled() || mine !== this.#questions;
    return (await inSteps(FIRST_BUDGET, step, onProgress, ended))?.value ?? null;
  }

  figure(kernel: number, kind: FigureKind | `part.${FigureKind}`, look: Look, base?: Float64Array): string {
    return this.#lab.figure(kernel, kind, look, base);
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

  exampleText(id: string): string {
    return example_text(id);
  }

  joinFiles(paths: string[], texts: string[]) {
    return join_files(paths, texts);
  }

  drawSeed(most: number): number {
    return draw_seed(most);
  }

  outline(text: string) {
    return launch_outline(text);
  }

  trace(launch: number, format: 'trc' | 'traceg') {
    const bytes = this.#lab.trace(launch, format) as Uint8Array<ArrayBuffer>;
    return Comlink.transfer(bytes, [bytes.buffer]);
  }

  arrayCsv(name: string): string {
    return this.#lab.array_csv(name);
  }
}
