// Columns that every table of counts shares: per array, instruction, set and core alike.

import { Bar } from './class-bar';
import type { Column } from './data-table';
import { count, percent1, share } from '../content/format';
import { className, s } from '../content/strings';
import { outright } from '../content/verdict';
import type { AccessCounts } from '../engine/types';

/** The class with most misses, in words, so that the small bar is never the only sign. */
function mostly(row: AccessCounts): string {
  const kinds = (['compulsory', 'capacity', 'associativity'] as const).map((kind) => [kind, row[kind]] as const);
  const [kind, n] = kinds.reduce((a, b) => (b[1] > a[1] ? b : a));
  return n === 0 ? s.counts.none : className[kind];
}

/** Columns of counts; `rows` are all rows, whose misses make the whole. */
export function countColumns<Row extends AccessCounts>(rows: Row[]): Column<Row>[] {
  const all = rows.reduce((sum, row) => sum + outright(row), 0);
  return [
    { key: 'misses', label: s.counts.misses, numeric: true, value: outright, show: (r) => count(outright(r)) },
    {
      key: 'share',
      label: s.counts.missShare,
      numeric: true,
      value: (r) => share(outright(r), all),
      show: (r) => percent1(share(outright(r), all)),
    },
    {
      key: 'rate',
      label: s.counts.missRate,
      term: 'miss_rate',
      numeric: true,
      value: (r) => share(outright(r), r.requests),
      show: (r) => percent1(share(outright(r), r.requests)),
    },
    {
      key: 'kinds',
      label: s.counts.mostly,
      show: (r) => (
        <span class="bar-cell">
          <Bar
            parts={{ compulsory: r.compulsory, capacity: r.capacity, associativity: r.associativity }}
            scale={largest(rows)}
          />
          <span class="bar-word">{mostly(r)}</span>
        </span>
      ),
    },
    {
      key: 'latency',
      label: s.counts.latency,
      term: 'latency',
      numeric: true,
      value: (r) => r.latency,
      show: (r) => count(r.latency),
    },
    {
      key: 'requests',
      label: s.counts.requests,
      numeric: true,
      value: (r) => r.requests,
      show: (r) => count(r.requests),
    },
  ];
}

/** Bars of one table share one scale. Computed once per list of rows. */
const scales = new WeakMap<AccessCounts[], number>();

function largest(rows: AccessCounts[]): number {
  let most = scales.get(rows);
  if (most === undefined) {
    most = rows.reduce((max, row) => Math.max(max, outright(row)), 1);
    scales.set(rows, most);
  }
  return most;
}
