// The kernels of a run of the model `gpu`; the chosen one is shown below.

import { kernelRows } from '../../../app/baseline';
import { type Column, numberColumn } from '../../../components/data-table';
import { bytes, count, mean, percent1 } from '../../../content/format';
import { g, perLoad, SECTOR, time } from '../../../content/gpu';
import type { GpuKernelReport } from '../../../engine/types';
import { KernelTable } from '../kernel-table';

const COLUMNS: Column<GpuKernelReport>[] = [
  numberColumn('time', g.kernels.time, (r) => r.gpu.seconds, time, 'gpu_time'),
  numberColumn('cycles', g.kernels.cycles, (r) => r.gpu.cycles, count, 'cycle'),
  numberColumn('perLoad', g.kernels.perLoad, (r) => perLoad(r.gpu).sectors, mean, 'sectors_per_load'),
  numberColumn('l2', g.facts.l2ToL1, (r) => SECTOR * r.gpu.l2.reads, bytes),
  numberColumn('dram', g.facts.dramToL2, (r) => SECTOR * r.gpu.dram.reads, bytes),
  numberColumn('hits', g.facts.l1, (r) => r.gpu.l1.hit_rate, percent1),
];

export function GpuKernels({ kernels, chosen }: { kernels: GpuKernelReport[]; chosen: number }) {
  const seconds = kernels.reduce((sum, k) => sum + k.gpu.seconds, 0);
  return (
    <KernelTable
      kernels={kernels}
      chosen={chosen}
      columns={COLUMNS}
      by="time"
      base={kernelRows((now) => now.gpuKernels)}
    >
      {g.kernels.total(kernels.length, seconds)}
    </KernelTable>
  );
}
