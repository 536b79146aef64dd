// What the page and the worker that owns the scenario say to each other. Plain data and callbacks only.

import type { KernelRun, LaunchOutline } from './scenario/cuda';
import type {
  CountFilter,
  CudaSettings,
  FigureKind,
  Intake,
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
} from './types';

/** Where the kernels come from: an example or files, plus topology files dropped later. */
export interface Source {
  example: string | null;
  files: File[];
  /** By their place in `files`: those that are not read as what they look like. */
  reading?: Readonly<Record<number, Reading>>;
  /** How CUDA text, the example's or a file's, is run; without it as the compiler leaves it. */
  cuda?: CudaSettings;
  /** The Kernel tab's editor holds its text already, and may have gone on from it. */
  fromEditor?: boolean;
}

/** A format that a person or a link asks for, and a name that stands in for the file's own. */
export interface Reading {
  format: string | null;
  name?: string;
}

export type OnProgress = (done: number, total: number) => void;

/** What a source holds. */
export interface Opened {
  intake: Intake;
  /** What running its CUDA text gave; null where there is none. */
  text: KernelRun | null;
}

/** The worker's side. `null` stands for "cancelled". */
export interface ScenarioService {
  presets(): PresetInfo[];
  /** Reads the files; of those in `hashed` the hash is made elsewhere. False when cancelled. */
  read(source: Source, hashed: boolean[], onProgress: OnProgress): Promise<boolean>;
  /** Takes these hashes by place, runs CUDA text and puts the files together. */
  finish(hashes: (string | undefined)[], onProgress: OnProgress): Promise<Opened | null>;
  parameters(gpu: string, model: string): Parameter[];
  /** Bytes that the run is estimated to take at its peak. */
  estimate(scenario: Scenario): number;
  run(scenario: Scenario, onProgress: OnProgress): Promise<Report | null>;
  cancel(): void;
  /** Makes the points of a sweep around a scenario; each text is one that `warpscope sweep --vary` takes. */
  sweepPlan(scenario: Scenario, vary: string[]): SweepOutline;
  /** Runs a point of the plan, counted from 0. */
  sweepPoint(point: number): Promise<SweepRow | null>;
  sweepFigure(table: SweepTable, measure: string, look: Look): string;
  sweepCsv(table: SweepTable): string;
  /** Answers a question about an access of a kernel, in place of the question before. The keys are those of the engine. */
  why(
    scenario: Scenario,
    kernel: number,
    question: Record<string, string>,
    onProgress: OnProgress,
  ): Promise<WhyReport | GpuWhyReport | null>;
  /** Runs the scenario once more and counts a part of its requests. */
  count(scenario: Scenario, part: CountFilter, onProgress: OnProgress): Promise<Report | null>;
  /** With `part.` before the kind it is of what was counted last. With `base`, the numbers of a baseline, a figure of both runs. */
  figure(kernel: number, kind: FigureKind | `part.${FigureKind}`, look: Look, base?: Float64Array): string;
  link(scenario: Scenario): string;
  parseLink(hash: string): Scenario;
  /** `view` may name arrays. */
  reportJson(view: Record<string, string>): string;
  reportCsv(view: Record<string, string>): string;
  topologyJson(gpu: string): string;
  /** A seed from 1 to `most` by chance. */
  drawSeed(most: number): number;
  exampleText(id: string): string;
  joinFiles(paths: string[], texts: string[]): [number, string][];
  outline(text: string): LaunchOutline[];
  /** A launch of the CUDA text, counted from 0, as a file. */
  trace(launch: number, format: 'trc' | 'traceg'): Uint8Array<ArrayBuffer>;
  arrayCsv(name: string): string;
}
