// Miss rate and MSHR occupancy over the run.

import { DataTable, type Column, numberColumn } from '../../components/data-table';
import { Figure } from '../../components/figure';
import { Folded } from '../../components/section';
import { count, percent1, share } from '../../content/format';
import { s } from '../../content/strings';
import type { KernelReport, TimeRow } from '../../engine/types';

const COLUMNS: Column<TimeRow>[] = [
  { key: 'tick', label: s.timeline.tick, term: 'tick', head: true, value: (r) => r.tick, show: (r) => count(r.tick) },
  numberColumn('requests', s.timeline.requests, (r) => r.requests, count),
  numberColumn('misses', s.timeline.misses, (r) => r.misses, count),
  numberColumn('rate', s.timeline.missRate, (r) => share(r.misses, r.requests), percent1),
  {
    key: 'mshrs',
    label: s.timeline.mshrs,
    term: 'mshr',
    numeric: true,
    value: (r) => r.mshrs,
    show: (r) => r.mshrs.toFixed(1),
  },
];

export function Timeline({ kernel, index, part }: { kernel: KernelReport; index: number; part: unknown }) {
  const rows = kernel.timeline;
  if (rows.length === 0) return null;
  const peak = rows.reduce((max, row) => Math.max(max, row.mshrs), 0);
  return (
    <Folded title={s.timeline.heading} term="mshr" hint={s.timeline.hint} name="timeline">
      <Figure
        kind="timeline"
        kernel={index}
        label={s.timeline.label(rows.length, peak)}
        part={part}
        table={<DataTable key={index} caption={s.timeline.heading} columns={COLUMNS} rows={rows} />}
      />
    </Folded>
  );
}
