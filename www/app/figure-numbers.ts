// What a chart draws of the baseline, as the list of numbers that `src/compare.rs` reads.

import type { FigureKind, GpuKernelReport, KernelReport } from '../engine/types';
import type { Beside } from './baseline';

/** Stands for the infinite distance. */
const INFINITE = -1;

/** Null where the chart shows one run only. */
export function figureNumbers(kind: FigureKind, base: Beside): Float64Array | null {
  if (base.model === 'gpu') return kind === 'flow' ? flowNumbers(base.kernel) : null;
  const drawn = ['histogram', 'sets', 'timeline'].includes(kind);
  return drawn ? kernelNumbers(base.kernel, base.ways, base.model === 'reference') : null;
}

export function flowNumbers({ gpu: { l1, l2, dram, busy } }: GpuKernelReport): Float64Array {
  const counts = [l1.sectors, l1.hits, l2.reads, l2.read_hits, l2.writes, l2.atomics, dram.reads, dram.writes];
  return new Float64Array([...counts, busy.issue, busy.pipe, busy.l2, busy.dram, busy.replies, busy.requests]);
}

export function kernelNumbers(kernel: KernelReport, ways: number, program: boolean): Float64Array {
  const { histogram, sets, timeline, ticks } = kernel;
  const distances = Object.entries(histogram).map(([d, n]) => [/^\d+$/.test(d) ? Number(d) : INFINITE, n]);
  const bySet = sets.map((set) => [set.requests, set.hits, set.latency]);
  const times = timeline.map((row) => [row.tick, row.requests, row.misses, row.mshrs]);
  const lists = [distances, bySet, times].flatMap((rows) => [rows.length, ...rows.flat()]);
  return new Float64Array([ways, Number(program), ticks, ...lists]);
}
