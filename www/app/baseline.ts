// What the page knows of the run that others are compared with. The scenario names it, so the link and the history hold it. The
// code that runs and compares it (`compare.ts`) comes when there is one, and writes what stands here.

import { signal } from '@preact/signals';
import type { Source } from '../engine/protocol';
import type { Diagnostic, FigureKind, GpuKernelReport, KernelReport, Scenario } from '../engine/types';
import type * as store from './store';

export interface Pinned {
  /** As the link has it. */
  scenario: Scenario;
  source: Source;
  result: store.Result;
}

export type Baseline =
  | { kind: 'running'; scenario: Scenario }
  /** A link names files that nobody has opened yet. `why`: those that came are others. */
  | { kind: 'wanted'; scenario: Scenario; why: string[] }
  | { kind: 'failed'; scenario: Scenario; diagnostics: Diagnostic[] }
  | ({ kind: 'ready' } & Pinned);

/** Null where nothing is pinned. */
export const baseline = signal<Baseline | null>(null);

/** The baseline's kernel that stands beside the kernel on show. */
export type Beside = {
  /** Index in the baseline's report. */
  index: number;
  /** Whether both are launches of the same files, so that addresses and instructions are the same. */
  sameSource: boolean;
} & ({ model: 'gpu'; kernel: GpuKernelReport } | { model: 'paper' | 'reference'; kernel: KernelReport; ways: number });

/** A difference beside a number: the text, and whether it is better. */
export interface Difference {
  text: string;
  word: string;
}

/** What tables, facts and charts show of the baseline. Its code comes with the first baseline. */
export interface Comparing {
  beside: Beside;
  /** The same of both kernels' model: of `gpu`, or of the same model of one L1. */
  gpu: GpuKernelReport | null;
  l1: KernelReport | null;
  /** All kernels of the baseline, likewise. */
  gpuKernels: GpuKernelReport[] | null;
  l1Kernels: KernelReport[] | null;
  /** Differences of the facts of the verdict, by their names. */
  facts: ReadonlyMap<string, Difference>;
  /** A difference, as `format` writes the number itself. */
  signed: (difference: number, format: (n: number) => string) => string;
  /** What a chart draws of the baseline, and the sentence that says so; null where it has one run only. */
  figure: (kind: FigureKind) => { numbers: Float64Array; legend: string } | null;
}

/** Null where nothing is compared. */
export const comparing = signal<Comparing | null>(null);

/** Rows of the baseline, and what makes a row the same one. Rows of the key `''` have no counterpart. */
export interface BaseRows<Row> {
  rows: Row[];
  key: (row: Row) => string;
}

type Key<Row> = (row: Row, sameSource: boolean) => string;

/** Rows of the baseline for a table of the model `gpu`. */
export function gpuRows<Row>(rows: (kernel: GpuKernelReport) => Row[], key: Key<Row>): BaseRows<Row> | null {
  const now = comparing.value;
  return now?.gpu ? { rows: rows(now.gpu), key: (row) => key(row, now.beside.sameSource) } : null;
}

/** Rows of the baseline for a table of a model of one L1. */
export function l1Rows<Row>(rows: (kernel: KernelReport) => Row[], key: Key<Row>): BaseRows<Row> | null {
  const now = comparing.value;
  return now?.l1 ? { rows: rows(now.l1), key: (row) => key(row, now.beside.sameSource) } : null;
}

/** Kernels of the baseline for the table of kernels: the same launches of the same files. */
export function kernelRows<Kernel extends { number: number }>(
  kernels: (now: Comparing) => Kernel[] | null,
): BaseRows<Kernel> | null {
  const now = comparing.value;
  const rows = now?.beside.sameSource ? kernels(now) : null;
  return rows && { rows, key: (kernel) => `${kernel.number}` };
}

/** Arrays of the same files are told by their address, because a person may have renamed one; others by their name. */
export const arrayKey = (row: { base: string; name: string }, sameSource: boolean) =>
  sameSource ? row.base : row.name;

/** Instructions of other files are others, even at the same place. */
export const instructionKey = (
  row: { pc: string; opcode: string; line: number | null; kind: string },
  sameSource: boolean,
) => (sameSource ? [row.pc, row.line, row.opcode, row.kind].join() : '');
