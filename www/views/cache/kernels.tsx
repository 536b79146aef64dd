// The kernels of the trace; the chosen one is shown below.

import { kernel } from '../../app/store';
import { DataTable, type Column } from '../../components/data-table';
import { Section } from '../../components/section';
import { count, dimensions, percent1, share, shortName } from '../../content/format';
import { s } from '../../content/strings';
import { outright } from '../../content/verdict';
import type { KernelReport, Total } from '../../engine/types';

type Row = KernelReport & { index: number };

export function Kernels({ kernels, total, chosen }: { kernels: KernelReport[]; total: Total; chosen: number }) {
  const rows: Row[] = kernels.map((k, index) => ({ ...k, index }));
  const columns: Column<Row>[] = [
    { key: 'number', label: '#', value: (r) => r.number },
    {
      key: 'name',
      label: s.kernels.kernel,
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
      key: 'misses',
      label: s.counts.misses,
      numeric: true,
      value: (r) => outright(r.misses),
      show: (r) => count(outright(r.misses)),
    },
    {
      key: 'requests',
      label: s.kernels.requests,
      term: 'request',
      numeric: true,
      value: (r) => r.requests,
      show: (r) => count(r.requests),
    },
    {
      key: 'rate',
      label: s.kernels.missRate,
      term: 'miss_rate',
      numeric: true,
      value: (r) => r.miss_rate,
      show: (r) => percent1(r.miss_rate),
    },
    {
      key: 'latency',
      label: s.kernels.latency,
      term: 'latency',
      numeric: true,
      value: (r) => share(r.misses.latency, r.requests),
      show: (r) => percent1(share(r.misses.latency, r.requests)),
    },
    { key: 'grid', label: s.kernels.grid, show: (r) => dimensions(r.grid) },
    { key: 'block', label: s.kernels.block, show: (r) => dimensions(r.block) },
  ];
  return (
    <Section title={s.kernels.heading} hint={s.kernels.hint} class="kernels">
      <DataTable
        caption={s.kernels.heading}
        columns={columns}
        rows={rows}
        sort={{ key: 'misses', down: true }}
        rowClass={(r) => (r.index === chosen ? 'chosen' : '')}
      />
      <p class="together">
        {s.kernels.total(kernels.length, total.requests, total.miss_rate, share(total.misses.latency, total.requests))}
      </p>
    </Section>
  );
}
