// What the engine says of CUDA text. Field names equal the engine's.

import type { Diagnostic } from '../types';

/** Warp instructions by class; memory accesses by space: global, shared, local, constant, texture. */
export interface InstructionCounts {
  integer: number;
  fp32: number;
  fp64: number;
  special: number;
  loads: number[];
  stores: number[];
  atomics: number[];
  branch: number;
  barrier: number;
  other: number;
}

export interface LaunchRun {
  kernel: string;
  grid: number[];
  block: number[];
  /** Warp-level memory accesses in the trace. */
  accesses: number;
  instructions: number;
  counts: InstructionCounts;
}

export interface ArrayRun {
  name: string;
  element: string;
  elements: number;
  changed: boolean;
}

/** What running a text gave. */
export interface KernelRun {
  launches: LaunchRun[];
  arrays: ArrayRun[];
  /** Text of `printf`. */
  output: string;
  diagnostics: Diagnostic[];
  /** Line and column of the first error, from 1. */
  position: [number, number] | null;
}

/** An argument or size of a launch; `declaration` is empty for a plain value, which can be set from outside. */
export interface LaunchItem {
  name: string;
  declaration: string;
  value: string;
}

/** A launch comment in pieces. Where there is none, `line` is the kernel's and `last_line` one less. */
export interface LaunchOutline {
  line: number;
  last_line: number;
  kernel: string;
  blocks: string;
  threads: string;
  shared: string | null;
  items: LaunchItem[];
}
