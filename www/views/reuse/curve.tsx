// The miss ratio of every cache size, with knees.

import { setView, viewValue } from '../../app/tabs';
import { DataTable, type Column, numberColumn } from '../../components/data-table';
import { Drawing } from '../../components/drawing';
import { Section } from '../../components/section';
import { bytes, count, percent1 } from '../../content/format';
import { r } from '../../content/reuse';
import type { Series } from '../../engine/reuse/protocol';
import { Below } from './below';
import { seen } from './explain';
import { pointsOf } from './smallest';
import { engine, type Shown } from './state';
import { Switch } from './switch';
import type { Look } from '../../engine/types';

interface Row {
  lines: number;
  ratio: number;
  knee: boolean;
}

export function Curve({ shown, series }: { shown: Shown; series: Series }) {
  const mode = viewValue('reuse.axis') === 'linear' ? 'linear' : 'log';
  const points = seen(shown.analysed.result, pointsOf(series));
  const { knees } = series;
  const line = shown.prepared.line_bytes;
  const sizes = new Set(knees.map(([lines]) => lines));
  const rows: Row[] = points.map(([lines, ratio]) => ({ lines, ratio, knee: sizes.has(lines) }));
  const columns: Column<Row>[] = [
    {
      key: 'lines',
      label: r.curve.lines,
      head: true,
      numeric: true,
      value: (row) => row.lines,
      show: (row) => count(row.lines),
    },
    ...(line > 1
      ? [{ key: 'size', label: r.curve.size, numeric: true, show: (row: Row) => bytes(row.lines * line) }]
      : []),
    numberColumn('ratio', r.curve.ratio, (row) => row.ratio, percent1),
    {
      key: 'knee',
      label: r.curve.knee,
      value: (row) => (row.knee ? 0 : 1),
      show: (row) => (row.knee ? r.curve.yes : ''),
    },
  ];
  const at = knees.map(([lines, ratio]) => r.curve.kneeAt(lines, ratio)).join(', ');
  const last = points[points.length - 1] ?? [0, 1];
  const tone = shown.analysed.result.sample ? 'sample' : 'exact';
  const errors = shown.analysed.result.sample?.error_95;
  const draw = (look: Look) =>
    engine.chart(
      {
        kind: 'curve',
        lines: [{ tone, points, ...(errors ? { errors } : {}) }],
        knees,
        logarithmic: mode === 'log',
        line_bytes: line,
      },
      look,
    );
  return (
    <Section title={r.curve.heading} term="miss_ratio_curve" hint={r.curve.hint}>
      <Switch
        name="reuse-axis"
        legend={r.curve.axis}
        of={r.curve.modes}
        value={mode}
        set={(value) => setView('reuse.axis', value === 'linear' ? value : null)}
      />
      <Drawing
        draw={draw}
        of={[shown, series.key, mode]}
        name="miss-ratio-curve"
        label={r.curve.label(at, last[1], last[0])}
        table={<DataTable key={series.key} caption={r.curve.heading} columns={columns} rows={rows} />}
      />
      {/* The curve of a sample is corrected, and its distances are not. */}
      {series.key !== 'sample' && <Below shown={shown} series={series} />}
      <p class="quiet" data-testid="reuse-knees">
        {at ? r.curve.knees(at, knees.length > 1) : r.curve.none}
      </p>
    </Section>
  );
}
