// What raw timings say: every value by three rules, and the noise, the series and the test behind each size.

import { useState } from 'preact/hooks';
import { DataTable, type Column } from '../../components/data-table';
import { Section } from '../../components/section';
import { percent } from '../../content/format';
import { t } from '../../content/topology';
import {
  type Agreement,
  REDUCTIONS,
  type Measured,
  type Measurement,
  type Reduction,
} from '../../engine/topology/types';
import { CurveFigures } from './curve';
import { byRule, type Row } from './pure';
import { alpha, curves, recurve, reduction } from './state';
import { shown } from './values';

const value = (m: Measurement | null) =>
  m === null ? t.none : m.value === null ? t.measured.noChange : shown(m.value, m.unit);
const size = (m: Measurement | null) => m?.value ?? -1;

const COLUMNS: Column<Row>[] = [
  { key: 'memory', label: t.measured.memory, head: true, value: (r) => t.measured.of(t.memory(r.memory), r.file) },
  { key: 'kind', label: t.measured.kind, value: (r) => t.kind(r.kind) },
  { key: 'reported', label: t.measured.reported, value: (r) => size(r.reported), show: (r) => value(r.reported) },
  { key: 'thesis', label: t.measured.thesis, value: (r) => size(r.thesis), show: (r) => value(r.thesis) },
  {
    key: 'mt4g',
    label: t.measured.mt4g,
    value: (r) => size(r.mt4g),
    show: (r) => (
      <span
        class={
          r.mt4g && typeof r.reported?.value === 'number' && r.mt4g.value !== r.reported.value ? 'differs' : undefined
        }
      >
        {value(r.mt4g)}
      </span>
    ),
  },
  { key: 'ours', label: t.measured.ours, value: (r) => size(r.ours), show: (r) => value(r.ours) },
  {
    key: 'interval',
    label: t.measured.interval,
    show: (r) => (r.ours?.interval ? `${shown(r.ours.interval[0], '')} to ${shown(r.ours.interval[1], '')}` : t.none),
  },
  {
    key: 'p',
    label: t.measured.p,
    numeric: true,
    value: (r) => r.ours?.p ?? 2,
    show: (r) => r.ours?.p?.toFixed(3) ?? t.none,
  },
  {
    key: 'd',
    label: t.measured.d,
    numeric: true,
    value: (r) => r.ours?.ks_d ?? 2,
    show: (r) => r.ours?.ks_d?.toFixed(3) ?? t.none,
  },
  {
    key: 'agreement',
    label: t.measured.agreement,
    numeric: true,
    value: (r) => r.ours?.estimators['agreement'] ?? -1,
    show: (r) => (r.ours?.estimators['agreement'] === undefined ? t.none : percent(r.ours.estimators['agreement'])),
  },
];

export function MeasuredView({ measured }: { measured: Measured }) {
  const rows = byRule(measured.measurements);
  if (rows.length === 0) return null;
  return (
    <>
      <Section title={t.measured.heading} hint={t.measured.hint} class="measured">
        <DataTable caption={t.measured.heading} columns={COLUMNS} rows={rows} firstPage={60} />
      </Section>
      {measured.agreement.length > 0 && <Agreements rows={measured.agreement} />}
      {curves.value.length > 0 && <Noise />}
    </>
  );
}

const AGREEMENT: Column<Agreement>[] = [
  {
    key: 'memory',
    label: t.measured.memory,
    head: true,
    value: (r) => t.measured.of(t.memory(r.memory), r.memory.startsWith('level_') ? r.file.replace(/^.*\//, '') : ''),
  },
  { key: 'thesis', label: t.measured.thesis, value: (r) => r.thesis ?? -1, show: (r) => shown(r.thesis, 'bytes') },
  { key: 'mt4g', label: t.measured.mt4g, value: (r) => r.mt4g ?? -1, show: (r) => shown(r.mt4g, 'bytes') },
  { key: 'ours', label: t.measured.ours, value: (r) => r.ours ?? -1, show: (r) => shown(r.ours, 'bytes') },
  { key: 'steps', label: t.measured.steps, numeric: true, value: (r) => r.steps ?? -1, show: (r) => r.steps ?? t.none },
  { key: 'why', label: t.measured.why, value: (r) => t.measured.whys(r.why, r.rise) },
];

function Agreements({ rows }: { rows: Agreement[] }) {
  return (
    <Section title={t.measured.agree} hint={t.measured.agreeHint} class="agreement">
      <DataTable caption={t.measured.agree} columns={AGREEMENT} rows={rows} firstPage={60} />
    </Section>
  );
}

function Noise() {
  const [index, setIndex] = useState(0);
  const curve = curves.value[index] ?? curves.value[0]!;
  const chosen = curves.value.indexOf(curve);
  return (
    <Section title={t.measured.noise} hint={t.measured.noiseHint} class="noise">
      <div class="choices">
        <div class="field">
          <label for="curve">{t.measured.curve}</label>
          <select id="curve" value={chosen} onChange={(e) => setIndex(Number(e.currentTarget.value))}>
            {curves.value.map((c, i) => (
              <option key={c.name} value={i}>
                {t.memory(c.memory)}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="reduction">{t.measured.reduction}</label>
          <select
            id="reduction"
            value={reduction.value}
            onChange={(e) => {
              reduction.value = e.currentTarget.value as Reduction;
              void recurve();
            }}
          >
            {REDUCTIONS.map((r) => (
              <option key={r} value={r}>
                {t.measured.reductions[r]}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="alpha">{t.measured.alpha}</label>
          <select
            id="alpha"
            value={String(alpha.value)}
            onChange={(e) => {
              alpha.value = Number(e.currentTarget.value);
              void recurve();
            }}
          >
            {[0.1, 0.05, 0.01, 0.005].map((a) => (
              <option key={a} value={String(a)}>
                {a}
              </option>
            ))}
          </select>
        </div>
      </div>
      <CurveFigures curve={curve} of={String(chosen)} />
    </Section>
  );
}
