// Where bytes flow, as the engine draws it, with the same numbers as a table.

import { gpuRows } from '../../../app/baseline';
import { DataTable, type Column, numberColumn } from '../../../components/data-table';
import { Figure } from '../../../components/figure';
import { Section } from '../../../components/section';
import { bytes, count, percent1, share } from '../../../content/format';
import { g, SECTOR } from '../../../content/gpu';
import type { GpuKernelReport, GpuNumbers } from '../../../engine/types';

interface Row {
  path: string;
  sectors: number;
  /** Sectors that were there; null where nothing is looked up. */
  hits: number | null;
}

const COLUMNS: Column<Row>[] = [
  { key: 'path', label: g.flow.path, head: true, value: (r) => r.path },
  numberColumn('sectors', g.flow.sectors, (r) => r.sectors, count, 'sector'),
  numberColumn('bytes', g.flow.bytes, (r) => SECTOR * r.sectors, bytes),
  {
    key: 'hits',
    label: g.flow.hits,
    numeric: true,
    value: (r) => r.hits ?? -1,
    show: (r) => (r.hits === null ? '–' : count(r.hits)),
  },
  {
    key: 'rate',
    label: g.flow.rate,
    numeric: true,
    value: (r) => (r.hits === null ? -1 : share(r.hits, r.sectors)),
    show: (r) => (r.hits === null ? '–' : percent1(share(r.hits, r.sectors))),
  },
];

function rowsOf(n: GpuNumbers): Row[] {
  const { rows } = g.flow;
  return [
    { path: rows.load, sectors: n.l1.sectors, hits: n.l1.hits },
    { path: rows.read, sectors: n.l2.reads, hits: n.l2.read_hits },
    { path: rows.fetch, sectors: n.dram.reads, hits: null },
    { path: rows.write, sectors: n.l2.writes, hits: n.l2.write_hits },
    { path: rows.atomic, sectors: n.l2.atomics, hits: null },
    { path: rows.back, sectors: n.dram.writes, hits: null },
  ];
}

interface Props {
  kernel: GpuKernelReport;
  index: number;
  /** What the kernel on show counts, if it is a part, and what it counts in full all the same. */
  part: GpuKernelReport | null;
  whole?: string;
}

export function GpuFlow({ kernel, index, part, whole }: Props) {
  return (
    <Section title={g.flow.heading} hint={g.flow.hint}>
      {whole && <p class="quiet">{whole}</p>}
      <Figure
        part={part}
        kind="flow"
        kernel={index}
        label={g.flow.label(kernel.gpu)}
        table={
          <DataTable
            key={index}
            caption={g.flow.heading}
            columns={COLUMNS}
            rows={rowsOf(kernel.gpu)}
            base={
              part
                ? null
                : gpuRows(
                    (k) => rowsOf(k.gpu),
                    (row) => row.path,
                  )
            }
          />
        }
      />
    </Section>
  );
}
