// The plain data of the Topology tab, as the engine (Rust, in a worker) gives it. Sizes are bytes, times cycles unless a
// name says otherwise.

import type { Diagnostic } from '../types';

export interface FactRow {
  /** Place in the topology's JSON. */
  path: string;
  part: string;
  label: string;
  unit: string;
  value: unknown;
  status: 'official' | 'measured' | 'assumed';
  source: string;
}

export interface TopologyView {
  json: string;
  id: string;
  name: string;
  summary: string;
  facts: FactRow[];
  /** Values of the board that the topology does not state, from its generation or assumed. */
  inherited: FactRow[];
  diagnostics: Diagnostic[];
}

export interface Difference {
  path: string;
  part: string;
  label: string;
  unit: string;
  first: unknown;
  second: unknown;
  differs: boolean;
  ratio: number | null;
}

export interface Measurement {
  file: string;
  memory: string;
  kind: string;
  rule: 'mt4g' | 'warpscope' | 'reported';
  value: number | null;
  unit: string;
  interval: [number, number] | null;
  ks_d: number | null;
  p: number | null;
  estimators: Record<string, number>;
}

export interface Measured {
  topology: TopologyView | null;
  measurements: Measurement[];
  diagnostics: Diagnostic[];
}

export const REDUCTIONS = ['distance', 'sliding', 'angle', 'mean', 'rms'] as const;
export type Reduction = (typeof REDUCTIONS)[number];

export interface Curve {
  name: string;
  memory: string;
  sizes: number[];
  /** Least, 5 %, median, 95 %, largest of the raw times of every size. */
  times: [number, number, number, number, number][];
  count: number;
  reduction: Reduction;
  series: number[];
  alpha: number;
  p: number | null;
  change: number | null;
  interval: [number, number] | null;
  estimators: Record<string, number>;
  samples: { split: number; left: number[]; right: number[]; d: number; critical: number } | null;
}

export interface Hidden {
  seed: number;
  gpu: string | null;
  noise: number | null;
  outliers: number | null;
}

export type Experiment =
  | { kind: 'sizes'; memory: string; from: number; to: number; step: number }
  | { kind: 'walk'; memory: string; bytes: number; stride: number; warm: boolean }
  | { kind: 'sharing'; first: string; second: string; first_bytes: number; second_bytes: number }
  | { kind: 'amount'; memory: string; bytes: number };

export interface WalkOutcome {
  kind: 'walk';
  memory: string;
  stride: number;
  times: number[];
  slow_from: number | null;
  distance: [number, number] | null;
  mean: number;
  p50: number;
  p95: number;
}

export interface SharesOutcome {
  kind: 'shares';
  labels: string[];
  alone: number[];
  together: number[];
  limit: number;
}
export type Outcome = ({ kind: 'sizes' } & Curve) | WalkOutcome | SharesOutcome;

export interface CacheGuess {
  size: number | null;
  line_size: number | null;
  fetch_granularity: number | null;
  latency: number | null;
  amount: number | null;
  shared_with: string[];
}

export interface Guess {
  global_in_l1: boolean;
  caches: Record<string, CacheGuess>;
  shared_cycles: number;
  main_cycles: number;
}

interface Times {
  mean: number;
  deviation: number;
  p50: number;
  p95: number;
}

export interface FoundCache {
  size: number | null;
  larger_than: number | null;
  step: number;
  interval: [number, number] | null;
  ks_d: number | null;
  p: number | null;
  estimators: Record<string, number>;
  line_size: number | null;
  fetch_granularity: number | null;
  latency: Times;
  miss_penalty: number | null;
  amount: number | null;
  shared_with: string[];
}

export interface TrueCache {
  size: number;
  usable: number;
  line_size: number;
  fetch_granularity: number;
  ways: number;
  replacement: string;
  latency: number;
  amount: number;
  shared_with: string[];
}

export interface Discovered {
  gpu: string;
  seed: number;
  truth: {
    noise: number;
    outliers: number;
    global_in_l1: boolean;
    caches: Record<string, TrueCache>;
    shared_cycles: number;
    main_cycles: number;
  };
  found: { global_in_l1: boolean; caches: Record<string, FoundCache>; shared_latency: Times; main_latency: Times };
  score: {
    right: number;
    of: number;
    global_in_l1: boolean;
    sharing: boolean;
    memories: boolean;
    caches: Record<string, Record<string, boolean>>;
  };
}

/** Levels of a curve; latencies are nanoseconds. */
export interface MachineLevels {
  sizes: number[];
  least: number[];
  most: number[];
  /** Latency, first and last size. */
  levels: [number, number, number][];
  /** Size at 70 %, 15 % and 85 % of the step. */
  boundaries: [number, number, number][];
}

export interface Machine {
  name: string;
  vendor: string;
  source: string;
  cores: number | null;
  lanes: number;
  sizes: number[];
  latencies: number[];
  line: number | null;
  software: boolean;
}

export type TopologyFigure = 'hierarchy' | 'times' | 'reduced' | 'samples' | 'sweep' | 'levels' | 'walk' | 'shares';
