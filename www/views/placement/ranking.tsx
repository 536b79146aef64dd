// The best placements as bars of their terms, and all that the page holds as a table.

import { Drawing } from '../../components/drawing';
import { DataTable, type Column } from '../../components/data-table';
import { Section } from '../../components/section';
import { Term } from '../../components/term';
import { count, percent, percent1 } from '../../content/format';
import { p } from '../../content/placement';
import type { PlaceLine, PlacePrepared, PlaceRanking, TermBar } from '../../engine/placement/types';
import { lookAt } from './actions';
import { same } from './settings';
import { chosen, engine } from './state';

/** Bars of the figure. */
const BARS = 12;

interface Row {
  rank: number | null;
  line: PlaceLine;
}

export function Ranking({ prepared, ranking }: { prepared: PlacePrepared; ranking: PlaceRanking }) {
  const { sample, arrays } = prepared;
  const names = arrays.map((a) => a.name);
  const isNow = (line: PlaceLine) => same(line.placement, sample.placement);
  const label = (line: PlaceLine) => (isNow(line) ? p.ranking.asNow : p.moves(names, line, sample.placement));
  const rows: Row[] = ranking.lines.map((line, i) => ({ rank: i + 1, line }));
  const tied = ranking.lines.filter((line) => line.tie).length > 1;
  const top = rows.slice(0, BARS);
  // The present placement and the one that is looked at are always among the bars.
  const extra = [
    rows.find((r) => isNow(r.line)) ?? { rank: null, line: sample },
    rows.find((r) => same(r.line.placement, chosen.value)),
  ];
  const shown = [
    ...top,
    ...extra.flatMap((row) => (row && !top.some((r) => same(r.line.placement, row.line.placement)) ? [row] : [])),
  ]
    .filter((row, i, all) => all.findIndex((r) => same(r.line.placement, row.line.placement)) === i)
    .sort((a, b) => a.line.cycles - b.line.cycles);
  const bars: TermBar[] = shown.map(({ rank, line }) => ({
    label: `${rank === null ? '' : `${rank}. `}${label(line)}`,
    t_comp: line.t_comp,
    t_mem: line.t_mem,
    t_overlap: line.t_overlap,
    present: isNow(line),
    chosen: same(line.placement, chosen.value),
  }));
  const chance: Column<Row> = {
    key: 'chance',
    label: p.ranking.chance,
    term: 'chance',
    numeric: true,
    value: (r) => r.line.chance ?? -1,
    show: (r) => (r.line.chance === null ? p.none : percent(r.line.chance)),
  };
  const columns: Column<Row>[] = [
    {
      key: 'rank',
      label: p.ranking.rank,
      numeric: true,
      value: (r) => r.rank ?? Infinity,
      show: (r) => r.rank ?? p.none,
    },
    {
      key: 'placement',
      label: p.ranking.placement,
      head: true,
      value: (r) => label(r.line),
      show: (r) => (
        <button
          type="button"
          class="link-button"
          aria-pressed={same(r.line.placement, chosen.value)}
          onClick={() => lookAt(r.line.placement)}
        >
          {label(r.line)}
        </button>
      ),
    },
    {
      key: 'time',
      label: p.ranking.time,
      numeric: true,
      value: (r) => r.line.cycles,
      show: (r) => (
        <>
          {tied && r.line.tie && <span class="badge">{p.ranking.tie}</span>} {count(r.line.cycles)}
        </>
      ),
    },
    {
      key: 'versus',
      label: p.ranking.versus,
      numeric: true,
      value: (r) => r.line.cycles,
      show: (r) =>
        isNow(r.line) ? <span class="badge">{p.ranking.now}</span> : p.matrix.change(r.line.cycles / sample.cycles - 1),
    },
    ...(ranking.lines[0]?.chance == null ? [] : [chance]),
    {
      key: 'comp',
      label: p.ranking.comp,
      term: 't_comp',
      numeric: true,
      value: (r) => r.line.t_comp,
      show: (r) => count(r.line.t_comp),
    },
    {
      key: 'mem',
      label: p.ranking.mem,
      term: 't_mem',
      numeric: true,
      value: (r) => r.line.t_mem,
      show: (r) => count(r.line.t_mem),
    },
    {
      key: 'overlap',
      label: p.ranking.overlap,
      term: 't_overlap',
      numeric: true,
      value: (r) => r.line.t_overlap,
      show: (r) => count(r.line.t_overlap),
    },
  ];
  const numbers: Column<Row>[] = columns.map((c) =>
    c.key === 'placement' ? { ...c, show: (r: Row) => label(r.line) } : { ...c },
  );
  const best = rows[0];
  return (
    <Section title={p.ranking.heading} hint={p.ranking.hint} class="ranking">
      <ul class="legend plain-legend">
        {(['comp', 'both', 'mem'] as const).map((part) => (
          <li key={part}>
            <span class={`swatch term-${part}`} aria-hidden="true" />
            {part === 'both' ? <Term id="t_overlap">{p.ranking.legend[part]}</Term> : p.ranking.legend[part]}
          </li>
        ))}
      </ul>
      <Drawing
        draw={(width, dark) => engine.ask((r) => r.figure('terms', bars, width, dark))}
        of={[JSON.stringify(bars)]}
        name="placements"
        label={p.ranking.label(
          shown.length,
          best ? `${label(best.line)}, ${percent1(best.line.cycles / sample.cycles)}` : p.none,
        )}
        table={
          <DataTable
            key={rows.length}
            caption={p.ranking.heading}
            columns={numbers}
            rows={shown}
            firstPage={BARS + 2}
          />
        }
      />
      <DataTable
        key={`${ranking.evaluated}${sample.cycles}`}
        caption={p.ranking.table}
        columns={columns}
        rows={rows}
        rowClass={(r) => (same(r.line.placement, chosen.value) ? 'chosen' : '')}
      />
      <p class="quiet">{p.ranking.shown(rows.length, ranking.evaluated)}</p>
    </Section>
  );
}
