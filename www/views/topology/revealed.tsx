// The truth about a hidden GPU beside what was said or found, value by value.

import { useState } from 'preact/hooks';
import { DataTable, type Column, numberColumn } from '../../components/data-table';
import { Drawing } from '../../components/drawing';
import { Section } from '../../components/section';
import { bytes, count } from '../../content/format';
import { t } from '../../content/topology';
import { ask } from '../../engine/topology/engine';
import { Estimator } from './curve';
import type { Discovered, FoundCache, OutlookRow, TrueCache } from '../../engine/topology/types';

interface Row {
  memory: string;
  what: string;
  said: string;
  truth: string;
  right: boolean | null;
}

const cycles = (n: number) => `${count(n)} cycles`;
const size = (found: FoundCache) =>
  found.larger_than !== null
    ? t.discover.larger(found.larger_than)
    : found.size === null
      ? t.none
      : `${bytes(found.size)} (${count(found.size)})${found.interval ? t.discover.within(...found.interval) : ''}`;
const small = (n: number | null) => (n === null ? t.none : bytes(n));

/** Every value that was compared, and those that were not. */
export function rowsOf(report: Discovered): Row[] {
  const rows: Row[] = [];
  for (const [memory, truth] of Object.entries(report.truth.caches)) {
    const found = report.found.caches[memory];
    if (!found) continue;
    const verdict = report.score.caches[memory] ?? {};
    const add = (what: string, said: string, is: string) =>
      rows.push({ memory, what, said, truth: is, right: verdict[what] ?? null });
    add('size', size(found), sizeOf(truth));
    add('line_size', small(found.line_size), small(truth.line_size));
    add('fetch_granularity', small(found.fetch_granularity), small(truth.fetch_granularity));
    add('latency', cycles(found.latency.p50), cycles(truth.latency));
    if (found.amount !== null) add('amount', String(found.amount), String(truth.amount));
  }
  const { found, truth, score } = report;
  const seen = Object.fromEntries(
    Object.entries(truth.caches)
      .filter(([memory]) => report.found.caches[memory])
      .map(([memory, cache]) => [memory, { shared_with: visible(report, cache.shared_with) }]),
  );
  const yes = (b: boolean) => (b ? t.discover.yes : t.discover.no);
  rows.push({
    memory: '',
    what: t.discover.global,
    said: yes(found.global_in_l1),
    truth: yes(truth.global_in_l1),
    right: score.global_in_l1,
  });
  rows.push({
    memory: '',
    what: t.discover.sharing,
    said: pairs(report.found.caches),
    truth: pairs(seen),
    right: score.sharing,
  });
  rows.push({
    memory: '',
    what: `${t.memory('shared')}, ${t.memory('main')}`,
    said: `${cycles(found.shared_latency.p50)}, ${cycles(found.main_latency.p50)}`,
    truth: `${cycles(truth.shared_cycles)}, ${cycles(truth.main_cycles)}`,
    right: score.memories,
  });
  return rows;
}

/** An L1 that global loads pass by cannot be seen to share anything. */
function visible(report: Discovered, names: string[]): string[] {
  return names.filter((name) => name !== 'l1' || report.truth.global_in_l1);
}

function sizeOf(truth: TrueCache): string {
  const usable = `${bytes(truth.usable)} (${count(truth.usable)})`;
  const detail = truth.usable < truth.size ? `${bytes(truth.size)} in all, ` : '';
  return `${usable}; ${detail}${t.discover.replacement(truth.replacement)}`;
}

function pairs(caches: Record<string, { shared_with: string[] }>): string {
  const all = Object.entries(caches).flatMap(([memory, { shared_with }]) =>
    shared_with.filter((other) => memory < other).map((other) => `${t.memory(memory)} and ${t.memory(other)}`),
  );
  return all.length > 0 ? all.join(', ') : t.none;
}

const verdictOf = (right: boolean | null) =>
  right === null ? t.discover.notScored : right ? t.discover.right : t.discover.wrong;

export function Revealed({ by, report }: { by: 'you' | 'page'; report: Discovered }) {
  const { right, of } = report.score;
  const columns: Column<Row>[] = [
    {
      key: 'memory',
      label: t.measured.memory,
      head: true,
      value: (r) => (r.memory ? t.memory(r.memory) : t.look.whole),
    },
    { key: 'what', label: t.look.label, value: (r) => t.kind(r.what) },
    {
      key: 'right',
      label: t.discover.verdict,
      value: (r) => verdictOf(r.right),
      show: (r) => (
        <span class={`badge ${r.right === null ? '' : r.right ? 'good' : 'error'}`}>{verdictOf(r.right)}</span>
      ),
    },
    { key: 'said', label: by === 'you' ? t.discover.said : t.discover.found, show: (r) => r.said },
    { key: 'truth', label: t.discover.truth, show: (r) => r.truth },
  ];
  return (
    <>
      <Section
        title={by === 'you' ? t.discover.byYou : t.discover.byPage}
        hint={t.discover.truthHint(report.gpu, report.truth.noise, report.truth.outliers)}
        class="revealed"
      >
        <p class="sentence" data-testid="score">
          {t.discover.revealed(right, of)}
        </p>
        <DataTable caption={t.discover.truth} columns={columns} rows={rowsOf(report)} firstPage={60} />
      </Section>
      {report.outlook.length > 0 && <Outlook rows={report.outlook} />}
      {by === 'page' && <Sweeps report={report} />}
    </>
  );
}

function amountOf(value: number, unit: string): string {
  if (unit === 'bytes') return bytes(value);
  const text = String(Math.round(value * 100) / 100);
  return unit === 'count' ? text : t.discover.perCycle(text);
}

function outlookFound(row: OutlookRow): string {
  const amount = (value: number) => amountOf(value, row.unit);
  if (row.found === null) return row.at_least === null ? t.none : t.discover.atLeast(amount(row.at_least));
  const interval = row.interval ? t.discover.between(amount(row.interval[0]), amount(row.interval[1])) : '';
  return amount(row.found) + interval;
}

/** What the experiments of the thesis’ outlook found. */
function Outlook({ rows }: { rows: OutlookRow[] }) {
  const columns: Column<OutlookRow>[] = [
    {
      key: 'quantity',
      label: t.look.label,
      head: true,
      value: (r) => `${t.discover.quantities[r.quantity] ?? r.quantity} ${t.memory(r.of)}`.trim(),
    },
    {
      key: 'right',
      label: t.discover.verdict,
      value: (r) => verdictOf(r.right),
      show: (r) => <span class={`badge ${r.right ? 'good' : 'error'}`}>{verdictOf(r.right)}</span>,
    },
    { key: 'found', label: t.discover.found, show: outlookFound },
    { key: 'truth', label: t.discover.truth, show: (r) => amountOf(r.truth, r.unit) },
  ];
  return (
    <Section title={t.discover.outlook} hint={t.discover.outlookHint} class="outlook">
      <DataTable caption={t.discover.outlook} columns={columns} rows={rows} firstPage={60} />
    </Section>
  );
}

function Sweeps({ report }: { report: Discovered }) {
  const memories = Object.keys(report.found.caches).filter((m) => report.found.caches[m]!.size !== null);
  const [memory, setMemory] = useState(memories[0] ?? '');
  const found = report.found.caches[memory];
  if (!found) return null;
  const label = t.measured.reducedLabel(found.size, found.interval, found.p);
  const rows = Object.entries(found.estimators).map(([id, n]) => ({ id, n }));
  return (
    <Section title={t.discover.sweeps} hint={t.measured.reducedLegend} class="sweeps">
      <div class="field">
        <label for="sweep">{t.discover.sweep}</label>
        <select id="sweep" value={memory} onChange={(e) => setMemory(e.currentTarget.value)}>
          {memories.map((m) => (
            <option key={m} value={m}>
              {t.memory(m)}
            </option>
          ))}
        </select>
      </div>
      <p>{label}</p>
      <Drawing
        draw={(look) => ask((r) => r.figure('sweep', memory, look))}
        of={[report, memory]}
        name={`sweep-${memory}`}
        label={label}
        table={
          <DataTable
            caption={t.measured.estimator}
            rows={rows}
            columns={[
              {
                key: 'id',
                label: t.measured.estimator,
                head: true,
                value: (r) => r.id,
                show: (r) => <Estimator id={r.id} />,
              },
              numberColumn('n', t.measured.size, (r: { n: number }) => r.n, count),
            ]}
          />
        }
      />
    </Section>
  );
}
