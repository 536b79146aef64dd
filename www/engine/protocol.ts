// What the page and the worker say to each other. Plain data and callbacks only, so that either side can be replaced.

import type { CudaSettings, FigureKind, Intake, Parameter, PresetInfo, Report, Scenario } from './types';

/** Where the kernels come from: an example or files, plus topology files dropped later. */
export interface Source {
  example: string | null;
  files: File[];
  /** By their place in `files`: those that are not read as what they look like. */
  reading?: Readonly<Record<number, Reading>>;
  /** How CUDA text, the example's or a file's, is run. */
  cuda?: CudaSettings;
  /** What an engine reads in place of CUDA text: by place in `files`, or {@link EXAMPLE}. */
  recordings?: Record<number, File>;
}

/** The place of the example's recording: files may join it later. */
export const EXAMPLE = -1;

/** The files that an engine reads, with recordings in place of CUDA text. */
export function inputs({ example, files, recordings = {} }: Source): File[] {
  const all = files.map((file, i) => recordings[i] ?? file);
  const last = recordings[EXAMPLE];
  return example !== null && last ? [...all, last] : all;
}

/** A format that a person or a link asks for, and a name that stands in for the file's own. */
export interface Reading {
  format: string | null;
  name?: string;
}

export interface Catalogue {
  presets: PresetInfo[];
}

export type OnProgress = (done: number, total: number) => void;

/** The worker's side. `null` stands for "cancelled". */
export interface EngineService {
  boot(): Promise<Catalogue>;
  open(source: Source, onProgress: OnProgress): Promise<Intake | null>;
  parameters(gpu: string, model: string): Parameter[];
  /** Bytes that the run is estimated to take at its peak. */
  estimate(scenario: Scenario): number;
  run(scenario: Scenario, onProgress: OnProgress): Promise<Report | null>;
  cancel(): void;
  figure(kernel: number, kind: FigureKind, width: number, dark: boolean): string;
  link(scenario: Scenario): string;
  parseLink(hash: string): Scenario;
  /** `view` may name arrays. */
  reportJson(view: Record<string, string>): string;
  reportCsv(view: Record<string, string>): string;
  topologyJson(gpu: string): string;
}
