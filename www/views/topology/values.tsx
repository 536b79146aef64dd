// A value of a topology as a person reads it, and the tables of them.

import { useState } from 'preact/hooks';
import { DataTable, type Column } from '../../components/data-table';
import { Folded, Section } from '../../components/section';
import { bytes, count } from '../../content/format';
import { say } from '../../content/messages';
import { t } from '../../content/topology';
import { inWords } from './numbers';
import type { Difference, FactRow, TopologyView } from '../../engine/topology/types';

export function shown(value: unknown, unit: string): string {
  if (value === null || value === undefined) return t.none;
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : t.none;
  if (typeof value === 'number') {
    if (unit === 'bytes') return value >= 1024 ? `${bytes(value)} (${count(value)})` : bytes(value);
    if (unit === 'kHz') return `${value / 1e6} GHz`;
    const text = Number.isInteger(value) ? count(value) : String(Math.round(value * 100) / 100);
    return unit ? `${text} ${say(unit)}` : text;
  }
  if (typeof value === 'string') return say(value.replaceAll('_', ' '));
  return typeof value === 'object' ? inWords(value) : JSON.stringify(value);
}

const COLUMNS: Column<FactRow>[] = [
  { key: 'part', label: t.look.part, head: true, value: (r) => say(r.part) || t.look.whole },
  { key: 'label', label: t.look.label, value: (r) => say(r.label) },
  { key: 'value', label: t.look.value, show: (r) => shown(r.value, r.unit) },
  {
    key: 'status',
    label: t.look.status,
    value: (r) => r.status,
    show: (r) => <span class={`badge status-${r.status}`}>{t.look.statuses[r.status]}</span>,
  },
  { key: 'source', label: t.look.source, value: (r) => r.source, show: (r) => <span class="source">{r.source}</span> },
];

export function FactTable({ view, caption }: { view: TopologyView; caption: string }) {
  const rows = [...view.facts, ...view.inherited];
  return <DataTable key={view.json} caption={caption} columns={COLUMNS} rows={rows} firstPage={90} />;
}

export function Values({ view }: { view: TopologyView }) {
  const rows = [...view.facts, ...view.inherited];
  const number = (status: string) => rows.filter((row) => row.status === status).length;
  const counted = t.look.counted(number('official'), number('measured'), number('assumed'));
  return (
    <Folded title={t.look.values} hint={t.look.valuesHint} class="values" name="values" brief={counted}>
      <FactTable view={view} caption={`${t.look.values}: ${view.name}`} />
    </Folded>
  );
}

const partOf = (row: Difference) => say(row.part) || t.look.whole;

export function Comparison({ first, second, rows }: { first: TopologyView; second: TopologyView; rows: Difference[] }) {
  const [only, setOnly] = useState(false);
  const different = rows.filter((row) => row.differs);
  const columns: Column<Difference>[] = [
    { key: 'part', label: t.look.part, value: partOf },
    {
      key: 'label',
      label: t.look.label,
      head: true,
      value: (r) => say(r.label),
      show: (r) => (
        <>
          {say(r.label)}
          <span class="quiet on-narrow"> {partOf(r)}</span>
        </>
      ),
    },
    { key: 'first', label: first.name, show: (r) => shown(r.first, r.unit) },
    { key: 'second', label: second.name, show: (r) => shown(r.second, r.unit) },
    {
      key: 'differs',
      label: t.look.differs,
      value: (r) => Number(r.differs),
      show: (r) => <span class={`badge ${r.differs ? 'changed' : ''}`}>{verdict(r)}</span>,
    },
    {
      key: 'ratio',
      label: t.look.ratio,
      numeric: true,
      value: (r) => r.ratio ?? 0,
      show: (r) => (r.ratio === null ? t.none : r.ratio.toFixed(2)),
    },
  ];
  return (
    <Section title={t.look.comparison} hint={t.look.comparisonHint(different.length, rows.length)} class="comparison">
      <label class="check">
        <input type="checkbox" checked={only} onChange={(e) => setOnly(e.currentTarget.checked)} />
        {t.look.onlyDifferent}
      </label>
      <DataTable
        key={`${first.json}${second.json}${only}`}
        caption={t.look.comparison}
        columns={columns}
        rows={only ? different : rows}
        firstPage={80}
        rowClass={(r) => (r.differs ? 'different' : '')}
      />
    </Section>
  );
}

function verdict(row: Difference): string {
  if (!row.differs) return t.look.no;
  return row.first === null || row.second === null ? t.look.onlyOne : t.look.yes;
}
