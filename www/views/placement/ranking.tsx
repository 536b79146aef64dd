// The best placements as bars of their terms, and all that the page holds as a table.

import type { ComponentChildren } from 'preact';
import { Drawing } from '../../components/drawing';
import { DataTable, type Column, numberColumn } from '../../components/data-table';
import { Folded, Section } from '../../components/section';
import { Term } from '../../components/term';
import { count, percent, percent1 } from '../../content/format';
import { p } from '../../content/placement';
import { s } from '../../content/strings';
import type { PlaceLine, PlacePrepared, PlaceRanking, TermBar } from '../../engine/placement/types';
import { lookAt } from './actions';
import { ratio } from './advice';
import { ByEquations } from './matrix';
import { same } from './settings';
import { advice, chosen, engine, provisional, settings } from './state';

/** Bars of the figure. */
const BARS = 8;

interface Row {
  rank: number | null;
  line: PlaceLine;
}

/** What the rows of the table are compared with. */
interface Compared {
  /** The placement of the trace. */
  now: PlaceLine;
  isNow: (line: PlaceLine) => boolean;
  label: (line: PlaceLine) => string;
  /** Those of which none is the fastest for certain, and of them the one to choose. None while a search goes on. */
  ties: PlaceLine[];
  recommended: PlaceLine | null;
}

/** Placements that tie have one rank. */
const rankText = ({ rank, line }: Row, { ties }: Compared) =>
  rank === null ? '' : ties.includes(line) ? p.ranking.shared(rank) : count(rank);

const CHANCE: Column<Row> = {
  key: 'chance',
  label: p.ranking.chance,
  term: 'chance',
  numeric: true,
  value: (r) => r.line.chance ?? -1,
  show: (r) => (r.line.chance === null ? p.none : percent(r.line.chance)),
};

const TERMS: Column<Row>[] = [
  numberColumn('comp', p.ranking.comp, (r) => r.line.t_comp, count, 't_comp'),
  numberColumn('mem', p.ranking.mem, (r) => r.line.t_mem, count, 't_mem'),
  numberColumn('overlap', p.ranking.overlap, (r) => r.line.t_overlap, count, 't_overlap'),
];

const Recommended = ({ row, look }: { row: Row; look: Compared }) =>
  row.line === look.recommended ? <span class="badge advice">{p.ranking.recommended}</span> : null;

function columnsOf(look: Compared, chances: boolean): Column<Row>[] {
  return [
    {
      key: 'rank',
      label: p.ranking.rank,
      numeric: true,
      value: (r) => r.rank ?? Infinity,
      show: (r) => rankText(r, look) || p.none,
    },
    {
      key: 'placement',
      label: p.ranking.placement,
      head: true,
      value: (r) => look.label(r.line),
      show: (r) => (
        <>
          <button
            type="button"
            class="link-button"
            aria-pressed={same(r.line.placement, chosen.value)}
            onClick={() => lookAt(r.line.placement)}
          >
            {look.label(r.line)}
          </button>
          <Recommended row={r} look={look} />
        </>
      ),
    },
    {
      key: 'machine',
      label: p.ranking.machine,
      numeric: true,
      value: (r) => r.line.machine_microseconds ?? Infinity,
      show: (r) => r.line.machine_microseconds?.toFixed(1) ?? p.none,
    },
    {
      key: 'versus',
      label: p.ranking.versus,
      numeric: true,
      value: (r) => ratio(r.line, look.now),
      show: (r) =>
        look.isNow(r.line) ? (
          <span class="badge">{p.ranking.now}</span>
        ) : (
          <>
            {p.matrix.change(ratio(r.line, look.now) - 1)}
            {look.now.machine_microseconds !== null && r.line.machine_microseconds === null && <ByEquations />}
          </>
        ),
    },
    ...(chances ? [CHANCE] : []),
    {
      key: 'time',
      label: p.ranking.time,
      numeric: true,
      value: (r) => r.line.cycles,
      show: (r) => count(r.line.cycles),
    },
    // Our own T does not follow from these terms.
    ...(settings.value.model === 'paper' ? TERMS : []),
  ];
}

/** The best rows, the present placement and the one that is looked at, in order of rank. */
function barRows(rows: Row[], now: PlaceLine): Row[] {
  const wanted = [
    ...rows.slice(0, BARS),
    rows.find((r) => same(r.line.placement, now.placement)) ?? { rank: null, line: now },
    ...rows.filter((r) => same(r.line.placement, chosen.value)),
  ];
  return wanted
    .filter((row, i) => wanted.findIndex((r) => same(r.line.placement, row.line.placement)) === i)
    .sort((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity));
}

/** What the bars are of. */
type Bars = 'machine' | 'paper' | 'equations';

function Legend({ of }: { of: Bars }) {
  const { legend, machineLegend } = p.ranking;
  const part = (name: string, text: ComponentChildren) => (
    <li>
      <span class={`swatch term-${name}`} aria-hidden="true" />
      {text}
    </li>
  );
  return (
    <ul class="legend plain-legend">
      {of !== 'equations' && part('comp', of === 'machine' ? machineLegend.comp : legend.comp)}
      {of === 'paper' && part('both', <Term id="t_overlap">{legend.both}</Term>)}
      {of !== 'equations' && part('mem', of === 'machine' ? machineLegend.mem : legend.mem)}
      {of === 'equations' && part('both', legend.whole)}
    </ul>
  );
}

/** The parts of a bar: on the machine, what issues and what waits; the printed equations' terms; our own T is whole. */
function termsOf(line: PlaceLine, of: Bars) {
  const { machine_cycles, machine_issuing, t_comp, t_mem, t_overlap, cycles } = line;
  if (of === 'paper') return { t_comp, t_mem, t_overlap };
  if (machine_cycles === null || machine_issuing === null) return { t_comp: cycles, t_mem: cycles, t_overlap: cycles };
  return { t_comp: machine_issuing, t_mem: machine_cycles - machine_issuing, t_overlap: 0 };
}

interface Props {
  prepared: PlacePrepared;
  ranking: PlaceRanking;
}

/** The rows, the fastest first, and what they are compared with. */
function rowsOf({ prepared: { sample, arrays }, ranking: { lines } }: Props): { rows: Row[]; compared: Compared } {
  const names = arrays.map((a) => a.name);
  const isNow = (line: PlaceLine) => same(line.placement, sample.placement);
  const ties = (!provisional.value && advice.value?.ties) || [];
  return {
    rows: lines.map((line, i) => ({ rank: ties.includes(line) ? 1 : i + 1, line })),
    compared: {
      now: lines.find(isNow) ?? sample,
      isNow,
      label: (line) => (isNow(line) ? p.ranking.asNow : p.moves(names, line, sample.placement)),
      ties,
      recommended: ties.length > 0 ? (advice.value?.best ?? null) : null,
    },
  };
}

const rowClass = (compared: Compared) => (r: Row) =>
  `${same(r.line.placement, chosen.value) ? 'chosen' : ''} ${compared.ties.includes(r.line) ? 'tied' : ''}`;

const columnsFor = (compared: Compared, { lines }: PlaceRanking) =>
  columnsOf(compared, typeof lines[0]?.chance === 'number');

function barLabel(row: Row, compared: Compared): string {
  const label = compared.label(row.line);
  const rank = rankText(row, compared);
  const named = row.line === compared.recommended ? p.ranking.recommendedBar(label) : label;
  return compared.ties.includes(row.line) ? `${rank} ${named}` : `${rank && `${rank}. `}${named}`;
}

export function Ranking({ prepared, ranking }: Props) {
  const { sample } = prepared;
  const { rows, compared } = rowsOf({ prepared, ranking });
  const { now, isNow, label } = compared;
  // Bars of two models side by side could contradict the ranks.
  const ran = rows.filter((row) => row.line.machine_cycles !== null);
  const shown = ran.length > 0 ? barRows(ran, sample).filter((row) => ran.includes(row)) : barRows(rows, sample);
  const of: Bars = ran.length > 0 ? 'machine' : settings.value.model === 'paper' ? 'paper' : 'equations';
  const bars: TermBar[] = shown.map((row) => ({
    label: barLabel(row, compared),
    ...termsOf(row.line, of),
    present: isNow(row.line),
    chosen: same(row.line.placement, chosen.value),
  }));
  const numbers: Column<Row>[] = columnsFor(compared, ranking).map((c) =>
    c.key === 'placement' ? { ...c, show: (r: Row) => [label(r.line), <Recommended row={r} look={compared} />] } : c,
  );
  const best = rows[0];
  return (
    <Section title={p.ranking.heading} hint={p.ranking.hint[of]} class="ranking">
      <Legend of={of} />
      <Drawing
        draw={(look) => engine.ask((r) => r.figure('terms', bars, look))}
        of={[JSON.stringify(bars)]}
        name="placements"
        label={p.ranking.label(shown.length, best ? `${label(best.line)}, ${percent1(ratio(best.line, now))}` : p.none)}
        table={
          <DataTable
            key={rows.length}
            caption={p.ranking.heading}
            columns={numbers}
            rows={shown}
            firstPage={BARS + 2}
            rowClass={rowClass(compared)}
          />
        }
      />
    </Section>
  );
}

/** All placements that the page holds. */
export function Ranked({ prepared, ranking }: Props) {
  const { rows, compared } = rowsOf({ prepared, ranking });
  return (
    <Folded title={p.ranking.table} name="ranked" brief={s.part.rows(rows.length)} class="ranking">
      <DataTable
        key={`${ranking.evaluated}${prepared.sample.cycles}`}
        caption={p.ranking.table}
        columns={columnsFor(compared, ranking)}
        rows={rows}
        rowClass={rowClass(compared)}
      />
      <p class="quiet">{p.ranking.shown(rows.length, ranking.evaluated)}</p>
    </Folded>
  );
}
