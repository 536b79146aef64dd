// Requests and misses, or sectors at each level, per line of the text. Pure.

import type { AccessCounts, CacheReport, GpuLevels, GpuReport, Intake, Report } from '../../engine/types';

/** A report without the kernels of other files than the first CUDA text. */
export function ofText(report: Report, { files, kernels }: Pick<Intake, 'files' | 'kernels'>): Report {
  const text = files.find((file) => file.read_as === 'cuda');
  const others = files.filter((file) => file !== text).map(({ id }) => id.name);
  const isOwn = ({ number }: { number: number }) => {
    const from = kernels.find((kernel) => kernel.number === number)?.file ?? '';
    return from === text?.id.name || !others.includes(from);
  };
  return report.model === 'gpu'
    ? { ...report, kernels: report.kernels.filter(isOwn) }
    : { ...report, kernels: report.kernels.filter(isOwn) };
}

export interface LineRow extends AccessCounts {
  line: number;
}

const KEYS = ['requests', 'hits', 'compulsory', 'capacity', 'associativity', 'latency'] as const;

/** AccessCounts of all kernels of a report, line by line. */
export function linesOf(report: CacheReport): LineRow[] {
  const rows = new Map<number, LineRow>();
  for (const row of report.kernels.flatMap((kernel) => kernel.instructions)) {
    if (row.line === null) continue;
    const sum = rows.get(row.line) ?? {
      line: row.line,
      requests: 0,
      hits: 0,
      compulsory: 0,
      capacity: 0,
      associativity: 0,
      latency: 0,
    };
    for (const key of KEYS) sum[key] += row[key];
    rows.set(row.line, sum);
  }
  return [...rows.values()].sort((a, b) => a.line - b.line);
}

export interface LevelLine extends GpuLevels {
  line: number;
  /** Warp instructions that look up sectors in the L1. */
  loads: number;
  /** Those that write to the L2. */
  stores: number;
}

/** Counts that add up over the instructions of a line. */
type Summed = Omit<GpuLevels, 'classes'>;

const NO_LEVELS: Summed = {
  requests: 0,
  l1_sectors: 0,
  l1_hits: 0,
  l2_reads: 0,
  l2_read_hits: 0,
  l2_writes: 0,
  l2_atomics: 0,
  dram_reads: 0,
  wavefronts: 0,
};

/** Levels of all kernels of a report of the model `gpu`, line by line. */
export function levelLinesOf(report: GpuReport): LevelLine[] {
  const rows = new Map<number, LevelLine>();
  for (const { line, ...row } of report.kernels.flatMap((kernel) => kernel.rows.instructions)) {
    if (line === null) continue;
    const sum = rows.get(line) ?? { line, loads: 0, stores: 0, ...NO_LEVELS };
    for (const key of LEVEL_KEYS) sum[key] += row[key];
    if (row.l1_sectors > 0) sum.loads += row.requests;
    if (row.l2_writes > 0) sum.stores += row.requests;
    rows.set(line, sum);
  }
  return [...rows.values()].sort((a, b) => a.line - b.line);
}

const LEVEL_KEYS = Object.keys(NO_LEVELS) as (keyof Summed)[];
