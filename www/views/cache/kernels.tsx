// The kernels of a run of one L1; the chosen one is shown below.

import { kernelRows } from '../../app/baseline';
import { type Column, numberColumn } from '../../components/data-table';
import { count, percent1, share } from '../../content/format';
import { s } from '../../content/strings';
import { outright } from '../../content/shares';
import type { KernelReport, Total } from '../../engine/types';
import { KernelTable } from './kernel-table';

const COLUMNS: Column<KernelReport>[] = [
  numberColumn('misses', s.counts.misses, (r) => outright(r.misses), count),
  numberColumn('requests', s.kernels.requests, (r) => r.requests, count, 'request'),
  numberColumn('rate', s.kernels.missRate, (r) => r.miss_rate, percent1, 'miss_rate'),
  numberColumn('latency', s.kernels.latency, (r) => share(r.misses.latency, r.requests), percent1, 'latency'),
];

export function Kernels({ kernels, total, chosen }: { kernels: KernelReport[]; total: Total; chosen: number }) {
  return (
    <KernelTable
      kernels={kernels}
      chosen={chosen}
      columns={COLUMNS}
      by="misses"
      base={kernelRows((now) => now.l1Kernels)}
    >
      {s.kernels.total(kernels.length, total.requests, total.miss_rate, share(total.misses.latency, total.requests))}
    </KernelTable>
  );
}
