// The plain data of placements, as `src/lab/place*.rs`, `src/lab/place_desk/` and `src/lab/dram_bench.rs` have it. Times are
// SM cycles unless a name says otherwise.

import type { Diagnostic } from '../types';

export const MEMORIES = ['global', 'texture1d', 'texture2d', 'constant', 'shared'] as const;
export type Memory = (typeof MEMORIES)[number];
export type Placement = Memory[];

export interface PlaceKernel {
  number: number;
  name: string;
  accesses: number;
}

export interface PlaceInput {
  kernels: PlaceKernel[];
  topology: string | null;
  diagnostics: Diagnostic[];
}

/** What is asked for; lists in order of the arrays' addresses. */
export interface PlaceAsk {
  gpu: string;
  /** From 1; 0: the one with most accesses. */
  kernel: number;
  /** Where the trace has the arrays; empty: all in global memory. */
  from: string[];
  model: 'default' | 'seed';
  /** Empty: the model's own. */
  queue: string;
  without: string[];
  /** Coefficients of the overlap as JSON; null: those that are shipped. */
  overlap: string | null;
  names: Record<string, string>;
  ranges: string;
  confirmed: boolean;
}

export interface PlaceArray {
  name: string;
  guessed: boolean;
  base: string;
  bytes: number;
  element: number;
  width: number;
  /** Warp loads, stores and atomics. */
  accesses: [number, number, number];
  /** Bytes that a block keeps in shared memory, and how often it fills them. */
  tile: [number, number] | null;
  /** By memory: why not, or null. */
  legality: Record<string, string | null>;
}

export interface PlaceLine {
  placement: Placement;
  cycles: number;
  microseconds: number;
  t_comp: number;
  t_mem: number;
  t_overlap: number;
  tie: boolean;
  /** To be the fastest of the best ten; null where that is not known. */
  chance: number | null;
}

export interface PlacePrepared {
  number: number;
  kernel: string;
  gpu: string;
  arrays: PlaceArray[];
  sample: PlaceLine;
  nominal: number;
  /** As many as `nominal` where all of them are looked at; null where a bound chooses. */
  numbers: number | null;
  accesses: number;
  /** In the trace, in the launch. */
  blocks: [number, number];
  notes: string[];
}

export interface PlaceStanding {
  done: number;
  total: number;
  evaluated: number;
  best: number | null;
  finished: boolean;
}

export interface PlaceRanking {
  legal: number | null;
  evaluated: number;
  /** 0: exact; null: nothing is certain. */
  gap: number | null;
  lines: PlaceLine[];
}

export interface BankRow {
  bank: number;
  requests: number;
  /** Row hits, misses, conflicts. */
  rows: [number, number, number];
  utilisation: number;
  wait_ns: number;
  saturated: boolean;
}

export interface PlaceLook {
  line: PlaceLine;
  illegal: string | null;
  /** Number of the array, sentence. */
  reasons: [number, string][];
  counts: { key: string; before: number; after: number }[];
  banks: BankRow[];
  outside: string[];
  snippet: string;
}

export interface TermBar {
  label: string;
  t_comp: number;
  t_mem: number;
  t_overlap: number;
  present: boolean;
  chosen: boolean;
}

export interface Trained {
  json: string;
  provenance: string;
  gpu: string;
  error: number;
  rows: number;
  kernels: number;
}

export type BitKind = 'column' | 'bank' | 'row';

export interface FlipTimes {
  with: number | null;
  bits: number[];
  /** Least, median and largest, ns. */
  ns: [number, number, number][];
}

export interface MappingBits {
  column: number[];
  bank: number[][];
  row: number[];
}
export interface DramAnswer {
  kinds: (BitKind | null)[];
  together: number[][];
}
export interface DramScore {
  bits: number;
  of_bits: number;
  groups: number;
  of_groups: number;
  wrong_groups: number;
}

export interface DramReveal {
  report: {
    seed: number;
    hashed: boolean;
    truth: MappingBits;
    algorithm_1: MappingBits;
    pair_probe: MappingBits;
    right: [boolean, boolean];
  };
  yours: DramScore;
  probes: [DramScore, DramScore];
}

export type PlaceFigure = 'terms' | 'banks' | 'flips';
