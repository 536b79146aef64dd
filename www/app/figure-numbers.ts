// What a chart draws of the baseline, as the list of numbers that `src/compare.rs` reads.

import type { FigureKind, GpuKernelReport, KernelReport } from '../engine/types';
import type { Beside } from './baseline';

/** Stands for the infinite distance. */
const INFINITE = -1;
/** Stands for operations per byte where no byte moves. */
const NOTHING = -1;

/** Null where the chart shows one run only. */
export function figureNumbers(kind: FigureKind, base: Beside): Float64Array | null {
  if (base.model === 'gpu') return gpuNumbers(kind, base.kernel);
  const drawn = ['histogram', 'sets', 'timeline'].includes(kind);
  return drawn ? kernelNumbers(base.kernel, base.ways, base.model === 'reference') : null;
}

function gpuNumbers(kind: FigureKind, kernel: GpuKernelReport): Float64Array | null {
  if (kind === 'flow') return flowNumbers(kernel);
  if (kind === 'cores') return coreNumbers(kernel);
  return kind === 'roofline' ? rooflineNumbers(kernel) : null;
}

export function coreNumbers({ rows: { cores } }: GpuKernelReport): Float64Array {
  return new Float64Array([cores.length, ...cores.flatMap((row) => [row.core, row.l1_sectors, row.l1_hits])]);
}

/** Null where the baseline has no point. */
export function rooflineNumbers({ roofline: r }: GpuKernelReport): Float64Array | null {
  if (!r || r.operations === 0) return null;
  return new Float64Array([r.operations_per_second, r.per_l2_byte ?? NOTHING, r.per_dram_byte ?? NOTHING]);
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
