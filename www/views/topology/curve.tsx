// The three figures of a size measurement: raw times, reduced series, Kolmogorov–Smirnov picture.

import { DataTable, type Column, numberColumn } from '../../components/data-table';
import { Drawing } from '../../components/drawing';
import { Term } from '../../components/term';
import { bytes, count } from '../../content/format';
import { glossary, type TermId } from '../../content/glossary';
import { t } from '../../content/topology';
import { ask } from '../../engine/topology/engine';
import type { Curve, TopologyFigure } from '../../engine/topology/types';
import type { Look } from '../../engine/types';

interface Point {
  size: number;
  times: Curve['times'][number];
  value: number;
}
interface Sample {
  side: string;
  value: number;
}

const size: Column<Point> = {
  key: 'size',
  label: t.measured.size,
  head: true,
  value: (r) => r.size,
  show: (r) => count(r.size),
};
const time = (key: string, label: string, at: 0 | 1 | 2 | 3 | 4): Column<Point> => ({
  key,
  label,
  numeric: true,
  value: (r) => r.times[at],
  show: (r) => count(r.times[at]),
});
const TIMES = [
  size,
  time('least', t.measured.least, 0),
  time('low', t.measured.low, 1),
  time('median', t.measured.median, 2),
  time('high', t.measured.high, 3),
  time('most', t.measured.most, 4),
];
const digits = (value: number) => (Math.abs(value) < 10 ? value.toFixed(4) : value.toFixed(1));
const REDUCED: Column<Point>[] = [size, numberColumn('value', t.measured.value, (r) => r.value, digits)];
const SAMPLES: Column<Sample>[] = [
  { key: 'side', label: t.measured.side, head: true, value: (r) => r.side },
  numberColumn('value', t.measured.value, (r) => r.value, digits),
];

const TERMS: Partial<Record<string, TermId>> = { onset: 'rise_foot', opt: 'best_split', pelt: 'pelt' };

export function Estimator({ id }: { id: string }) {
  const [name, term] = [t.measured.estimators[id] ?? id, TERMS[id]];
  return term ? <Term id={term}>{name}</Term> : <>{name}</>;
}

/** `of` is what the engine knows the curve by. */
export function CurveFigures({ curve, of }: { curve: Curve; of: string }) {
  const rows: Point[] = curve.sizes.map((n, i) => ({ size: n, times: curve.times[i]!, value: curve.series[i]! }));
  const draw = (kind: TopologyFigure) => (look: Look) => ask((r) => r.figure(kind, of, look));
  const samples: Sample[] = curve.samples
    ? [
        ...curve.samples.left.map((value) => ({ side: t.measured.left, value })),
        ...curve.samples.right.map((value) => ({ side: t.measured.right, value })),
      ]
    : [];
  const timesLabel = t.measured.timesLabel(curve.count, curve.sizes.length);
  const reducedLabel = t.measured.reducedLabel(curve.change, curve.interval, curve.p);
  const samplesLabel = curve.samples
    ? t.measured.samplesLabel(curve.samples.d, curve.samples.critical, curve.samples.split)
    : '';
  const name = `${curve.memory}-${curve.reduction}`;
  return (
    <div class="curve-figures">
      <h3>{t.measured.times}</h3>
      <p class="quiet">{t.measured.timesLegend}</p>
      <Drawing
        draw={draw('times')}
        of={[curve]}
        name={`${name}-times`}
        label={timesLabel}
        table={<DataTable caption={t.measured.times} columns={TIMES} rows={rows} />}
      />
      <h3>
        {t.measured.reduced}
        {['cut', 'distance', 'sliding'].includes(curve.reduction) && (
          <>
            {': '}
            <Term id="reduced_distance">{glossary.reduced_distance}</Term>
          </>
        )}
      </h3>
      <p data-testid="change">{reducedLabel}</p>
      <p class="quiet">
        {t.measured.reducedLegend}{' '}
        {Object.entries(curve.estimators).map(([id, n], i) => (
          <>
            {i > 0 && '; '}
            <Estimator id={id} />: {bytes(n)}
          </>
        ))}
      </p>
      <Drawing
        draw={draw('reduced')}
        of={[curve]}
        name={`${name}-reduced`}
        label={reducedLabel}
        table={<DataTable caption={t.measured.reduced} columns={REDUCED} rows={rows} />}
      />
      {curve.samples && (
        <>
          <h3>{t.measured.samples}</h3>
          <p>{samplesLabel}</p>
          <p class="quiet">{t.measured.samplesLegend}</p>
          <Drawing
            draw={draw('samples')}
            of={[curve]}
            name={`${name}-samples`}
            label={samplesLabel}
            table={<DataTable caption={t.measured.samples} columns={SAMPLES} rows={samples} />}
          />
        </>
      )}
    </div>
  );
}
