// The kernels of the run; the chosen one is shown below.

import { kernel } from '../../../app/store';
import { DataTable, type Column } from '../../../components/data-table';
import { Section } from '../../../components/section';
import { bytes, count, dimensions, percent1, shortName } from '../../../content/format';
import { g, mean, perLoad, SECTOR, time } from '../../../content/gpu';
import type { GpuKernelReport } from '../../../engine/types';

type Row = GpuKernelReport & { index: number };

const columnsFor = (chosen: number): Column<Row>[] => [
  { key: 'number', label: '#', value: (r) => r.number },
  {
    key: 'name',
    label: g.kernels.kernel,
    head: true,
    value: (r) => r.name,
    show: (r) => (
      <button
        type="button"
        class="link-button"
        title={r.name}
        aria-pressed={r.index === chosen}
        onClick={() => (kernel.value = r.index)}
      >
        {shortName(r.name)}
      </button>
    ),
  },
  {
    key: 'time',
    label: g.kernels.time,
    term: 'gpu_time',
    numeric: true,
    value: (r) => r.gpu.seconds,
    show: (r) => time(r.gpu.seconds),
  },
  {
    key: 'cycles',
    label: g.kernels.cycles,
    term: 'cycle',
    numeric: true,
    value: (r) => r.gpu.cycles,
    show: (r) => count(r.gpu.cycles),
  },
  {
    key: 'perLoad',
    label: g.kernels.perLoad,
    term: 'sectors_per_load',
    numeric: true,
    value: (r) => perLoad(r.gpu).sectors,
    show: (r) => mean(perLoad(r.gpu).sectors),
  },
  {
    key: 'l2',
    label: g.facts.l2ToL1,
    numeric: true,
    value: (r) => r.gpu.l2.reads,
    show: (r) => bytes(SECTOR * r.gpu.l2.reads),
  },
  {
    key: 'dram',
    label: g.facts.dramToL2,
    numeric: true,
    value: (r) => r.gpu.dram.reads,
    show: (r) => bytes(SECTOR * r.gpu.dram.reads),
  },
  {
    key: 'hits',
    label: g.facts.l1,
    numeric: true,
    value: (r) => r.gpu.l1.hit_rate,
    show: (r) => percent1(r.gpu.l1.hit_rate),
  },
  { key: 'grid', label: g.facts.grid, show: (r) => dimensions(r.grid) },
  { key: 'block', label: g.facts.block, show: (r) => dimensions(r.block) },
];

export function GpuKernels({ kernels, chosen }: { kernels: GpuKernelReport[]; chosen: number }) {
  const rows: Row[] = kernels.map((k, index) => ({ ...k, index }));
  const seconds = kernels.reduce((sum, k) => sum + k.gpu.seconds, 0);
  return (
    <Section title={g.kernels.heading} hint={g.kernels.hint} class="kernels">
      <p>{g.kernels.total(kernels.length, seconds)}</p>
      <DataTable
        caption={g.kernels.heading}
        columns={columnsFor(chosen)}
        rows={rows}
        sort={{ key: 'time', down: true }}
        rowClass={(r) => (r.index === chosen ? 'chosen' : '')}
      />
    </Section>
  );
}
