// SHARDS beside the exact result: what a sample says, how far it promises to be off, and how far it is.

import { DataTable, type Column, numberColumn } from '../../components/data-table';
import { Drawing } from '../../components/drawing';
import { Folded } from '../../components/section';
import { count, percent1 } from '../../content/format';
import { r } from '../../content/reuse';
import { seen, withinBounds } from './explain';
import { Legend } from './legend';
import { Rate } from './setup';
import { runSample } from './actions';
import { activity, engine, sampled, settings, type Shown } from './state';
import type { Look } from '../../engine/types';

type Row = ReturnType<typeof withinBounds>[number];

const columns: Column<Row>[] = [
  {
    key: 'lines',
    label: r.sample.lines,
    head: true,
    numeric: true,
    value: (row) => row.lines,
    show: (row) => count(row.lines),
  },
  numberColumn('estimate', r.sample.estimate, (row) => row.estimate, percent1),
  {
    key: 'bound',
    label: r.sample.bound,
    numeric: true,
    value: (row) => row.bound,
    show: (row) => `± ${percent1(row.bound)}`,
  },
  numberColumn('exact', r.sample.exact, (row) => row.exact, percent1),
  numberColumn('off', r.sample.off, (row) => row.off, percent1),
];

export function Sample({ shown }: { shown: Shown }) {
  const found = sampled.value;
  if (shown.analysed.result.sample) return null;
  return (
    <Folded title={r.sample.heading} term="shards" hint={r.sample.hint} class="reuse-sample" name="reuse-sample">
      <div class="reuse-range">
        <Rate id="reuse-sample-rate" value={settings.value.rate} />
        <button type="button" disabled={activity.value !== null} onClick={() => void runSample()}>
          {found ? r.sample.again : r.sample.run}
        </button>
      </div>
      {found?.result.sample && <Found shown={shown} />}
    </Folded>
  );
}

function Found({ shown }: { shown: Shown }) {
  const { result, ms } = sampled.value!;
  const note = result.sample!;
  const exact = shown.analysed.result.all;
  const rows = withinBounds(note.error_95, result.all.miss_ratio_curve, exact.miss_ratio_curve);
  const inside = rows.filter((row) => row.off <= row.bound).length;
  const estimate = seen(result, result.all.miss_ratio_curve);
  const draw = (look: Look) =>
    engine.chart(
      {
        kind: 'curve',
        knees: [],
        logarithmic: true,
        lines: [
          { tone: 'exact', points: exact.miss_ratio_curve },
          { tone: 'sample', points: estimate, errors: note.error_95 },
        ],
      },
      look,
    );
  return (
    <div data-testid="reuse-sample">
      <p>
        {r.sample.took(note.sampled, exact.accesses, ms, shown.analysed.ms)}{' '}
        {rows.length > 0 ? r.sample.within(inside, rows.length) : r.sample.none}
      </p>
      <Legend tones={['exact', 'sample']} />
      <Drawing
        draw={draw}
        of={[sampled.value]}
        name="sampled-curve"
        label={r.sample.label}
        table={<DataTable caption={r.sample.caption} columns={columns} rows={rows} />}
      />
    </div>
  );
}
