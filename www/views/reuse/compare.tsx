// Sequential against exact-parallel against HP-RDA with and without ef, on CPU and GPU: time, error, reasons.

import { Coded } from '../../components/coded';
import { DataTable, type Column } from '../../components/data-table';
import { Drawing } from '../../components/drawing';
import { Folded } from '../../components/section';
import { count, percent1 } from '../../content/format';
import { duration, errorPercent, points, r } from '../../content/reuse';
import type { DifferenceNote, Points, Tone } from '../../engine/reuse/protocol';
import { ratioAt, reasons } from './explain';
import { Legend } from './legend';
import { compare } from './actions';
import { activity, comparison, engine, neededToCompare, prepared, type Comparison, type Shown } from './state';
import type { Look } from '../../engine/types';
import { pointsOf } from './smallest';

/** H of the paper's error, as the engine has it. */
const BINS = 24;

interface Row {
  way: string;
  ms: number | null;
  note: string;
  difference: DifferenceNote | null;
}

const EXACT: DifferenceNote = { e_percent: 0, binned_points: 0, curve_points: 0 };

function rowsOf(found: Comparison): Row[] {
  const { parallel, equal, plain, adjusted, gpu } = found;
  const { slowestMs, mergeMs, wallMs, workers } = parallel;
  return [
    { way: r.compare.sequential, ms: found.sequentialMs, note: '', difference: EXACT },
    {
      way: r.compare.parallel(workers),
      ms: slowestMs + mergeMs,
      difference: equal === false ? null : EXACT,
      note: `${r.compare.parallelTime(slowestMs, mergeMs)}; ${r.compare.wall(wallMs)}${equal === null ? '' : `; ${equal ? r.compare.equal : r.compare.unequal}`}`,
    },
    { way: r.compare.plain, ms: plain.ms, note: '', difference: plain.result.difference },
    { way: r.compare.adjusted, ms: adjusted.ms, note: '', difference: adjusted.result.difference },
    {
      way: r.compare.gpu,
      ms: gpu.refused === null ? gpu.ms : null,
      difference: gpu.equal ? plain.result.difference : null,
      note:
        gpu.refused !== null
          ? r.compare.refused(gpu.refused, gpu.detail)
          : gpu.equal
            ? r.compare.gpuEqual(gpu.adapter)
            : r.compare.gpuUnequal,
    },
  ];
}

export function Compare({ shown }: { shown: Shown }) {
  const found = comparison.value;
  const ready = prepared.value;
  const gone = shown.input.kept_bytes === null && shown.input.kind === 'stream';
  return (
    <Folded title={r.compare.heading} term="hp_rda" hint={r.compare.hint} class="reuse-compare" name="reuse-compare">
      <p class="buttons">
        <button type="button" disabled={gone || activity.value !== null} onClick={() => void compare()}>
          {found ? r.compare.again : r.compare.run}
        </button>
        <span class="quiet">
          {gone ? <Coded text={r.notKept} /> : ready && r.compare.takes(neededToCompare(ready))}
        </span>
      </p>
      {found && <Found found={found} />}
    </Folded>
  );
}

/** `first` is the time of the sequential analysis, in milliseconds. */
const columnsOf = (first: number): Column<Row>[] => [
  { key: 'way', label: r.compare.way, head: true, show: (row) => row.way },
  {
    key: 'time',
    label: r.compare.time,
    numeric: true,
    value: (row) => row.ms ?? Infinity,
    show: (row) => (row.ms === null ? '–' : duration(row.ms)),
  },
  {
    key: 'speed',
    label: r.compare.speed,
    numeric: true,
    show: (row) => (row.ms ? `${(first / row.ms).toFixed(2)} ×` : '–'),
  },
  {
    key: 'e',
    label: r.compare.e,
    term: 'error_e',
    numeric: true,
    value: (row) => row.difference?.e_percent ?? Infinity,
    show: (row) => (row.difference ? errorPercent(row.difference.e_percent) : '–'),
  },
  {
    key: 'cdf',
    label: r.compare.cdf,
    numeric: true,
    value: (row) => row.difference?.binned_points ?? Infinity,
    show: (row) => (row.difference ? points(row.difference.binned_points) : '–'),
  },
  {
    key: 'mrc',
    label: r.compare.mrc,
    numeric: true,
    value: (row) => row.difference?.curve_points ?? Infinity,
    show: (row) => (row.difference ? points(row.difference.curve_points) : '–'),
  },
];

function Found({ found }: { found: Comparison }) {
  const rows = rowsOf(found);
  const { plain, adjusted } = found;
  const lines: { tone: Tone; points: [number, number][] }[] = [
    { tone: 'plain', points: pointsOf(plain.result.all) },
    { tone: 'adjusted', points: pointsOf(adjusted.result.all) },
    { tone: 'exact', points: pointsOf(found.exact) },
  ];
  const draw = (look: Look) => engine.chart({ kind: 'curve', lines, knees: [], logarithmic: true }, look);
  const table = <DataTable caption={r.compare.caption} columns={columnsOf(found.sequentialMs)} rows={rows} />;
  const said = reasons(plain.result, adjusted.result, found.equal, BINS);
  return (
    <>
      <div data-testid="reuse-comparison">{table}</div>
      <ul class="reuse-notes">
        {rows
          .filter((row) => row.note)
          .map((row) => (
            <li key={row.way}>
              <strong>{row.way}:</strong> {row.note.replace(/[^.)]$/, '$&.')}
            </li>
          ))}
      </ul>
      <Legend tones={['exact', 'plain', 'adjusted']} />
      <Drawing
        draw={draw}
        of={[found]}
        name="hp-rda-curves"
        label={r.compare.chart}
        table={
          <CurvesAt
            curves={{
              exact: found.exact.miss_ratio_curve,
              plain: plain.result.all.miss_ratio_curve,
              adjusted: adjusted.result.all.miss_ratio_curve,
            }}
          />
        }
      />
      <h3>{r.compare.reasons}</h3>
      <ul class="reuse-reasons" data-testid="reuse-reasons">
        {said.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}

/** Curves at doublings of the size. */
function CurvesAt({ curves }: { curves: Record<string, Points> }) {
  const largest = Math.max(1, ...Object.values(curves).map((curve) => curve[curve.length - 1]?.[0] ?? 1));
  const rows = Array.from({ length: Math.ceil(Math.log2(largest)) + 1 }, (_, k) => 2 ** k);
  const columns: Column<number>[] = [
    { key: 'lines', label: r.curve.lines, head: true, numeric: true, value: (n) => n, show: (n) => count(n) },
    ...Object.entries(curves).map(([key, curve]): Column<number> => ({
      key,
      label: r.compare.legend[key] ?? key,
      numeric: true,
      value: (n) => ratioAt(curve, n),
      show: (n) => percent1(ratioAt(curve, n)),
    })),
  ];
  return <DataTable caption={r.compare.chart} columns={columns} rows={rows} />;
}
