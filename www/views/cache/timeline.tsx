// Miss rate and MSHR occupancy over the run.

import { DataTable, type Column } from '../../components/data-table';
import { Figure } from '../../components/figure';
import { Section } from '../../components/section';
import { Term } from '../../components/term';
import { count, percent1, share } from '../../content/format';
import { s } from '../../content/strings';
import type { KernelReport, TimeRow } from '../../engine/types';

const COLUMNS: Column<TimeRow>[] = [
  { key: 'tick', label: s.timeline.tick, term: 'tick', head: true, value: (r) => r.tick, show: (r) => count(r.tick) },
  {
    key: 'requests',
    label: s.timeline.requests,
    numeric: true,
    value: (r) => r.requests,
    show: (r) => count(r.requests),
  },
  { key: 'misses', label: s.timeline.misses, numeric: true, value: (r) => r.misses, show: (r) => count(r.misses) },
  {
    key: 'rate',
    label: s.timeline.missRate,
    numeric: true,
    value: (r) => share(r.misses, r.requests),
    show: (r) => percent1(share(r.misses, r.requests)),
  },
  {
    key: 'mshrs',
    label: s.timeline.mshrs,
    term: 'mshr',
    numeric: true,
    value: (r) => r.mshrs,
    show: (r) => r.mshrs.toFixed(1),
  },
];

export function Timeline({ kernel, index }: { kernel: KernelReport; index: number }) {
  const rows = kernel.timeline;
  if (rows.length === 0) return null;
  const peak = rows.reduce((max, row) => Math.max(max, row.mshrs), 0);
  const title = <Term id="mshr">{s.timeline.heading}</Term>;
  return (
    <Section title={title} hint={s.timeline.hint}>
      <Figure
        kind="timeline"
        kernel={index}
        label={s.timeline.label(rows.length, peak)}
        table={<DataTable key={index} caption={s.timeline.heading} columns={COLUMNS} rows={rows} />}
      />
    </Section>
  );
}
