// Columns that every table of counts shares: per array, instruction, set and core alike.

import { Bar } from './class-bar';
import { type Column, numberColumn, shareColumn } from './data-table';
import { count, percent1, share } from '../content/format';
import { className, s } from '../content/strings';
import { mostMisses, outright } from '../content/shares';
import type { AccessCounts } from '../engine/types';

/** The class with most misses, in words, so that the small bar is never the only sign. */
function mostly(row: AccessCounts): string {
  const [kind, n] = mostMisses(row);
  return n === 0 ? s.counts.none : className[kind];
}

/** Columns of counts; `rows` are all rows, whose bars share a scale. */
export function countColumns<Row extends AccessCounts>(rows: Row[]): Column<Row>[] {
  return [
    numberColumn('misses', s.counts.misses, outright, count),
    shareColumn('share', s.counts.missShare, outright),
    numberColumn('rate', s.counts.missRate, (r) => share(outright(r), r.requests), percent1, 'miss_rate'),
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
    numberColumn('latency', s.counts.latency, (r) => r.latency, count, 'latency'),
    numberColumn('requests', s.counts.requests, (r) => r.requests, count),
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
