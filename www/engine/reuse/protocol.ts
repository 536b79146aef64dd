// What the page and the workers of the Reuse tab say to each other. Field names equal the engine's.

import type { OnProgress, Source } from '../protocol';
import type { Bar, ChartLine, ReuseResult, EngineSpec, InputInfo, Prepared, ReuseChart } from '../generated';
import type { Look, Scenario } from '../types';

export type {
  Bar,
  ReuseResult,
  ReuseStep,
  DifferenceNote,
  EngineSpec,
  InputInfo,
  Prepared,
  ReuseChart,
  Series,
  Tone,
} from '../generated';

/** Why an engine is chosen. */
export type Why = Prepared['why'];

/** Places on both axes, ascending. */
export type Points = ChartLine['points'];

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

export type EngineName = 'auto' | 'rank' | 'offline' | 'sample';

/** Lines of a stretch: numbers of 32 bits, or of 64. */
export interface Part {
  narrow: boolean;
  lines: ArrayBuffer;
}

export interface Analysed {
  result: ReuseResult;
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
export interface ReuseService {
  /** Packed addresses of more than `keep` bytes are not kept. */
  open(
    input: Input,
    lineBytes: number | null,
    keep: number,
    onRead: OnProgress,
    onEmulate: OnProgress,
  ): Promise<InputInfo | null>;
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
  chart(chart: ReuseChart, look: Look): string;
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
