// The roofline with the kernel's points, and the work of each core.

import { pickMark } from '../../../app/filter';
import { type Column, DataTable, numberColumn } from '../../../components/data-table';
import { Figure } from '../../../components/figure';
import { Term } from '../../../components/term';
import { count, percent1, share } from '../../../content/format';
import { g, perByte, perSecond } from '../../../content/gpu';
import type { GpuKernelReport } from '../../../engine/types';
import { isPicked, pickColumn } from '../only';

interface Row {
  what: string;
  value: string;
}

const ROWS: Column<Row>[] = [
  { key: 'what', label: g.roofline.what, head: true, show: (r) => r.what },
  { key: 'value', label: g.roofline.value, numeric: true, show: (r) => r.value },
];

export function Roofline({ kernel, index }: { kernel: GpuKernelReport; index: number }) {
  const { roofline: r } = kernel;
  if (!r) return <p>{g.roofline.unknown}</p>;
  if (r.operations === 0) return <p>{g.roofline.none}</p>;
  const { rows } = g.roofline;
  const table: Row[] = [
    { what: rows.operations, value: count(r.operations) },
    { what: rows.reached, value: perSecond(r.operations_per_second) },
    { what: rows.attainable, value: perSecond(r.attainable_operations_per_second) },
    { what: rows.perDram, value: perByte(r.per_dram_byte) },
    { what: rows.perL2, value: perByte(r.per_l2_byte) },
    { what: rows.units, value: perSecond(r.peak_operations_per_second) },
    { what: rows.l2, value: perSecond(r.peak_l2_bytes_per_second, 'B') },
    { what: rows.dram, value: perSecond(r.peak_dram_bytes_per_second, 'B') },
  ];
  return (
    <>
      <p>
        {g.roofline.sentence(r)} {g.roofline.notFlop}
        <Term id="lane_operation">{g.roofline.flop}</Term>.
      </p>
      <Figure
        kind="roofline"
        kernel={index}
        label={g.roofline.label(r)}
        table={<DataTable key={index} caption={g.roofline.heading} columns={ROWS} rows={table} />}
      />
    </>
  );
}

type CoreRow = GpuKernelReport['rows']['cores'][number];

const CORES: Column<CoreRow>[] = [
  pickColumn('core', g.cores.core, (r) => r.core),
  numberColumn('sectors', g.flow.sectors, (r) => r.l1_sectors, count),
  numberColumn('hits', g.flow.hits, (r) => r.l1_hits, count),
  numberColumn('rate', g.flow.rate, (r) => share(r.l1_hits, r.l1_sectors), percent1),
];

interface CoreProps {
  kernel: GpuKernelReport;
  index: number;
  cores: number;
  part: GpuKernelReport | null;
}

export function Cores({ kernel, index, cores, part }: CoreProps) {
  const rows = kernel.rows.cores;
  return (
    <>
      <p>{g.cores.sentence(rows, cores)}</p>
      <Figure
        kind="cores"
        kernel={index}
        part={part}
        label={g.cores.label(rows, cores)}
        onPick={pickMark}
        table={
          <DataTable
            key={index}
            caption={g.cores.heading}
            columns={CORES}
            rows={rows}
            rowClass={(row) => (isPicked('core', `${row.core}`) ? 'chosen' : '')}
          />
        }
      />
    </>
  );
}
