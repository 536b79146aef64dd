// What the page and the workers of the Reuse tab say to each other. Field names equal the engine's.

import type { OnProgress, Source } from '../protocol';
import type { Diagnostic, FileId, Scenario } from '../types';

export const PATTERNS = ['uniform', 'zipf', 'loop', 'matmul', 'phased'] as const;
export type Pattern = (typeof PATTERNS)[number];

/** A stream with known behaviour: n accesses to about m lines. */
export interface Generated {
  kind: 'generated';
  pattern: Pattern;
  n: number;
  m: number;
  seed: number;
  exponent: number;
}

export type Input = Generated | { kind: 'files'; source: Source };

export interface InputInfo {
  kind: 'stream' | 'kernels' | 'none';
  line_bytes: number;
  kernels: string[];
  accesses: number;
  kept_bytes: number | null;
  files: FileId[];
  formats: string[];
  candidates: string[];
  read_as: string;
  diagnostics: Diagnostic[];
}

export type Why = 'passing' | 'groups' | 'few-lines' | 'many-accesses' | 'many-lines';

/** What is known before an analysis. */
export interface Prepared {
  accesses: number;
  distinct: number;
  distinct_exact: boolean;
  line_bytes: number;
  narrow: boolean;
  held_bytes: number;
  rank_bytes: number;
  offline_bytes: number;
  hp_rda_bytes: number;
  engine: 'rank' | 'offline';
  why: Why;
  grouped: boolean;
}

export type EngineName = 'auto' | 'rank' | 'offline' | 'sample';

export interface EngineSpec {
  engine: EngineName | 'hp-rda' | 'hp-rda-trace';
  per_million?: number;
  st?: number;
  nb?: number;
  adjust?: boolean;
}

export type Points = [number, number][];

/** Accesses by distance and the miss ratio of every cache size. */
export interface Series {
  key: string;
  name: string;
  accesses: number;
  firsts: number;
  largest: number | null;
  log2_bins: number[];
  miss_ratio_curve: Points;
  knees: Points;
}

export interface Difference {
  e_percent: number;
  binned_points: number;
  curve_points: number;
}
export interface SampleNote {
  rate: number;
  sampled: number;
  error_95: Points;
}
export interface HpRdaNote {
  st: number;
  nb: number;
  ntb: number;
  ef: number;
  adjusted: boolean;
}

export interface DeskResult {
  engine: string;
  distinct: number;
  all: Series;
  kernels: Series[];
  arrays: Series[];
  sample: SampleNote | null;
  hp_rda: HpRdaNote | null;
  difference: Difference | null;
  bytes: number;
  fingerprint: string;
}

export interface Bar {
  low: number;
  high: number;
  count: number;
}

export type Tone = 'exact' | 'plain' | 'adjusted' | 'sample';
export interface ChartLine {
  tone: Tone;
  points: Points;
  errors?: Points;
}
export type Chart =
  | { kind: 'distances'; bars: [number, number, number][]; firsts: number | null }
  | { kind: 'curve'; lines: ChartLine[]; knees: Points; logarithmic: boolean }
  | { kind: 'sweep'; lines: ChartLine[]; title: string };

/** Lines of a stretch: numbers of 32 bits, or of 64. */
export interface Part {
  narrow: boolean;
  lines: ArrayBuffer;
}

export interface Analysed {
  result: DeskResult;
  ms: number;
  memory: number;
}

export interface GpuOutcome {
  /** Why the GPU could not do it, or null. */
  refused: string | null;
  detail: string;
  /** Whether its histogram is the CPU version's. */
  equal: boolean | null;
  ms: number;
  adapter: string;
}

/** The worker that holds the input. `null` stands for "cancelled". */
export interface DeskService {
  /** Packed addresses of more than `keep` bytes are not kept. */
  open(input: Input, lineBytes: number | null, keep: number, onProgress: OnProgress): Promise<InputInfo | null>;
  prepare(lineBytes: number, modelOrder: boolean, scenario: Scenario, onProgress: OnProgress): Promise<Prepared | null>;
  analyse(engine: EngineSpec, onProgress: OnProgress): Promise<Analysed | null>;
  /** HP-RDA's step 1; its time is part of every run's. */
  hpRdaTrace(onProgress: OnProgress): Promise<number | null>;
  hpRda(st: number, nb: number, onProgress: OnProgress): Promise<{ plain: Analysed; adjusted: Analysed } | null>;
  /** The same on the GPU, compared with the run before. */
  hpRdaGpu(st: number, nb: number, onProgress: OnProgress): Promise<GpuOutcome | null>;
  parts(count: number, onProgress: OnProgress): Promise<Part[] | null>;
  equalsExact(summary: Uint8Array): boolean | null;
  window(key: string, from: number, to: number, most: number): Bar[];
  chart(chart: Chart, width: number, dark: boolean): string;
  reportJson(seconds: number): string;
  csv(): string;
  cancel(): void;
}

/** One of the workers that share a stream. */
export interface PartService {
  /** The whole stream in one: what the others are compared with. */
  whole(part: Part, onProgress: OnProgress): Promise<{ ms: number; bytes: number } | null>;
  analyse(part: Part, onProgress: OnProgress): Promise<{ ms: number; bytes: number } | null>;
  /** Ends this partition and hands its summary out. */
  handOver(): { summary: Uint8Array; ms: number };
  /** Continues this partition by the next one's summary; how long that took. */
  absorb(next: Uint8Array): number;
  cancel(): void;
}
