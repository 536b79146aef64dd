// HP-RDA over the lengths of thread traces: the paper's Figures 16 and 17 for this stream.

import { Coded } from '../../components/coded';
import { DataTable, type Column, numberColumn } from '../../components/data-table';
import { Drawing } from '../../components/drawing';
import { Folded } from '../../components/section';
import { count } from '../../content/format';
import { duration, errorPercent, points, r } from '../../content/reuse';
import type { Points } from '../../engine/reuse/protocol';
import { Legend } from './legend';
import { runSweep } from './actions';
import { activity, engine, sweep, type Shown, type SweepRow } from './state';
import type { Look } from '../../engine/types';

const columns: Column<SweepRow>[] = [
  { key: 'st', label: 'ST', head: true, numeric: true, value: (row) => row.st, show: (row) => count(row.st) },
  numberColumn('plain', r.sweep.plain, (row) => row.plain.difference?.e_percent ?? 0, errorPercent),
  numberColumn('adjusted', r.sweep.adjusted, (row) => row.adjusted.difference?.e_percent ?? 0, errorPercent),
  numberColumn('curvePlain', r.sweep.curvePlain, (row) => row.plain.difference?.curve_points ?? 0, points),
  numberColumn('curveAdjusted', r.sweep.curveAdjusted, (row) => row.adjusted.difference?.curve_points ?? 0, points),
  numberColumn('time', r.sweep.time, (row) => row.adjustedMs, duration),
];

export function Sweep({ shown }: { shown: Shown }) {
  const rows = sweep.value;
  const gone = shown.input.kept_bytes === null && shown.input.kind === 'stream';
  const pick = (value: (row: SweepRow) => number): Points => rows.map((row) => [row.st, value(row)]);
  const errors = (look: Look) =>
    engine.chart(
      {
        kind: 'sweep',
        title: r.sweep.errorTitle,
        lines: [
          { tone: 'plain', points: pick((row) => row.plain.difference?.e_percent ?? 0) },
          { tone: 'adjusted', points: pick((row) => row.adjusted.difference?.e_percent ?? 0) },
        ],
      },
      look,
    );
  const times = (look: Look) =>
    engine.chart(
      { kind: 'sweep', title: r.sweep.timeTitle, lines: [{ tone: 'exact', points: pick((row) => row.adjustedMs) }] },
      look,
    );
  const table = <DataTable caption={r.sweep.caption} columns={columns} rows={rows} />;
  return (
    <Folded title={r.sweep.heading} hint={r.sweep.hint} class="reuse-sweep" name="reuse-sweep">
      <p class="buttons">
        <button type="button" disabled={gone || activity.value !== null} onClick={() => void runSweep()}>
          {rows.length > 0 ? r.sweep.again : r.sweep.run}
        </button>
        {gone && (
          <span class="quiet">
            <Coded text={r.notKept} />
          </span>
        )}
      </p>
      {rows.length > 0 && (
        <div data-testid="reuse-sweep">
          <h3>{r.sweep.error}</h3>
          <Legend tones={['plain', 'adjusted']} />
          <Drawing draw={errors} of={[rows]} name="hp-rda-error-by-st" label={r.sweep.errorLabel} table={table} />
          <h3>{r.sweep.time}</h3>
          <Drawing draw={times} of={[rows]} name="hp-rda-time-by-st" label={r.sweep.timeLabel} table={table} />
          <p class="quiet">{r.sweep.note}</p>
        </div>
      )}
    </Folded>
  );
}
