// Accesses by reuse distance: powers of two, or exact distances in a range.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { setView, viewValue } from '../../app/tabs';
import { DataTable, type Column, numberColumn } from '../../components/data-table';
import { Drawing } from '../../components/drawing';
import { KeptInput } from '../../components/kept-input';
import { Section } from '../../components/section';
import { count, percent, percent1, share } from '../../content/format';
import { r } from '../../content/reuse';
import type { Bar, Series } from '../../engine/reuse/protocol';
import { binRows, fullest } from './explain';
import { engine, type Shown } from './state';
import { Switch } from './switch';
import type { Look } from '../../engine/types';

/** Bars that a range is drawn with at most; fewer distances than that are drawn one by one. */
const BARS = 256;
const FIRST_RANGE = 200;

interface Row {
  low: number;
  high: number;
  count: number;
  share: number;
  upTo: number | null;
}

export function Histogram({ shown, series }: { shown: Shown; series: Series }) {
  const mode = viewValue('reuse.bins') === 'exact' ? 'exact' : 'log';
  return (
    <Section title={r.histogram.heading} term="reuse_distance_stream" hint={r.histogram.hint}>
      <Switch
        name="reuse-bins"
        legend={r.histogram.bins}
        of={r.histogram.modes}
        value={mode}
        set={(value) => setView('reuse.bins', value === 'exact' ? value : null)}
      />
      {mode === 'log' ? (
        <Log shown={shown} series={series} />
      ) : (
        <Exact key={series.key} shown={shown} series={series} />
      )}
    </Section>
  );
}

const columns: Column<Row>[] = [
  {
    key: 'distance',
    label: r.histogram.distance,
    head: true,
    value: (row) => row.low,
    show: (row) => (row.low === Infinity ? `∞, ${r.histogram.first}` : r.histogram.range(row.low, row.high)),
  },
  numberColumn('accesses', r.histogram.accesses, (row) => row.count, count),
  numberColumn('share', r.histogram.share, (row) => row.share, percent1),
  { key: 'upTo', label: r.histogram.upTo, numeric: true, show: (row) => (row.upTo === null ? '' : percent1(row.upTo)) },
];

function distanceOr(text: string | null, otherwise: number): number {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : otherwise;
}

function Log({ shown, series }: { shown: Shown; series: Series }) {
  const rows: Row[] = binRows(series);
  const bars = rows.slice(0, -1).map((row): [number, number, number] => [row.low, row.high, row.count]);
  const draw = (look: Look) => engine.chart({ kind: 'distances', bars, firsts: series.firsts }, look);
  const label = r.histogram.label(fullest(rows), share(series.firsts, series.accesses));
  return (
    <Drawing
      draw={draw}
      of={[shown, series.key]}
      name="reuse-distances"
      label={label}
      table={<DataTable key={series.key} caption={r.histogram.heading} columns={columns} rows={rows} />}
    />
  );
}

function Exact({ shown, series }: { shown: Shown; series: Series }) {
  const largest = series.largest ?? 0;
  const from = Math.min(largest, distanceOr(viewValue('reuse.from'), 0));
  const to = Math.min(largest, distanceOr(viewValue('reuse.to'), FIRST_RANGE));
  const bars = useSignal<Bar[]>([]);
  useEffect(() => {
    let current = true;
    engine.window(series.key, from, to, BARS).then(
      (found) => current && (bars.value = found),
      () => {},
    );
    return () => void (current = false);
  }, [shown, series.key, from, to]);
  const rows: Row[] = bars.value.map((bar) => ({ ...bar, share: share(bar.count, series.accesses), upTo: null }));
  const width = bars.value[0] ? bars.value[0].high - bars.value[0].low + 1 : 1;
  const draw = (look: Look) =>
    engine.chart(
      {
        kind: 'distances',
        bars: bars.value.map((bar): [number, number, number] => [bar.low, bar.high, bar.count]),
        firsts: null,
      },
      look,
    );
  const set = (key: string, n: number, otherwise: number) => {
    if (Number.isInteger(n) && n >= 0) setView(key, n === otherwise ? null : String(n));
  };
  const label = r.histogram.label(fullest(rows), share(series.firsts, series.accesses));
  return (
    <>
      <div class="reuse-range">
        <label>
          {r.histogram.from}{' '}
          <KeptInput
            type="number"
            min={0}
            max={largest}
            value={from}
            onChange={(e) => set('reuse.from', e.currentTarget.valueAsNumber, 0)}
          />
        </label>
        <label>
          {r.histogram.to}{' '}
          <KeptInput
            type="number"
            min={0}
            max={largest}
            value={to}
            onChange={(e) => set('reuse.to', e.currentTarget.valueAsNumber, FIRST_RANGE)}
          />
        </label>
        <span class="quiet">
          {width > 1
            ? r.histogram.wide(width)
            : `${r.histogram.first}: ${percent(share(series.firsts, series.accesses))}`}
        </span>
      </div>
      <Drawing
        draw={draw}
        of={[bars.value]}
        name="reuse-distances-exact"
        label={label}
        table={
          <DataTable
            key={`${series.key} ${from} ${to}`}
            caption={r.histogram.heading}
            columns={columns.slice(0, 3)}
            rows={rows}
          />
        }
      />
    </>
  );
}
