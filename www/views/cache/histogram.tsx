// Reuse distances: the heart of the model. The chart's cut is the number of ways.

import { l1Rows } from '../../app/baseline';
import { pickMark } from '../../app/filter';
import { DataTable, type Column, numberColumn } from '../../components/data-table';
import { Figure } from '../../components/figure';
import { Section } from '../../components/section';
import { count, percent1 } from '../../content/format';
import { s } from '../../content/strings';
import type { KernelReport } from '../../engine/types';
import { distanceRows, shareBelow, waysOf, type DistanceRow } from './distances';

interface Props {
  kernel: KernelReport;
  index: number;
  /** Set where the counts are of a part. */
  part: unknown;
  parameters: Record<string, string>;
}

export function Histogram({ kernel, index, part, parameters }: Props) {
  const rows = distanceRows(kernel.histogram);
  const ways = waysOf(parameters);
  // The authors' program counts a distance equal to the ways as a hit.
  const program = kernel.differential === null;
  const firstMiss = ways === null ? null : program ? ways + 1 : ways;
  const first = rows.find((row) => row.distance === Infinity)?.share ?? 0;
  const columns: Column<DistanceRow>[] = [
    {
      key: 'distance',
      label: s.histogram.distance,
      head: true,
      value: (r) => r.distance,
      show: (r) => (r.distance === Infinity ? s.histogram.first : count(r.distance)),
    },
    numberColumn('requests', s.histogram.requests, (r) => r.requests, count),
    numberColumn('share', s.histogram.share, (r) => r.share, percent1),
    { key: 'upTo', label: s.histogram.upTo, numeric: true, show: (r) => percent1(r.upTo) },
  ];
  if (firstMiss !== null) {
    columns.push({
      key: 'outcome',
      label: `${s.histogram.outcome} (${ways})`,
      show: (r) => (r.distance < firstMiss ? s.histogram.hit : s.histogram.miss),
    });
  }
  const label = s.histogram.label(firstMiss === null ? 0 : shareBelow(rows, firstMiss), first, firstMiss);
  return (
    <Section
      title={s.histogram.heading}
      term="reuse_distance"
      hint={program ? s.histogram.hintProgram : s.histogram.hint}
    >
      <Figure
        kind="histogram"
        kernel={index}
        label={label}
        part={part}
        onPick={pickMark}
        table={
          <DataTable
            key={index}
            caption={s.histogram.heading}
            columns={columns}
            rows={rows}
            base={l1Rows(
              (k) => distanceRows(k.histogram),
              (row) => `${row.distance}`,
            )}
          />
        }
      />
    </Section>
  );
}
