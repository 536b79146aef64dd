// How sure a result is: a line in the verdict, and a part with all that was tried.

import { useEffect } from 'preact/hooks';
import * as store from '../../../app/store';
import { DataTable, type Column } from '../../../components/data-table';
import { percent1 } from '../../../content/format';
import { busiestPart, g, LIMITS } from '../../../content/gpu';
import { say } from '../../../content/messages';
import { s } from '../../../content/strings';
import { errorSentence, FOLLOWED, q } from '../../../content/sure';
import type { Model } from '../../../engine/types';
import { begin, follow, isAlone, SEEDS, study, type Study } from './state';
import type { Effect } from './study';

/** The range, as soon as it is known. */
export function SureLine({ result }: { result: store.Result }) {
  useEffect(follow, []);
  const now = study.value;
  if (now?.of !== result || !now.seeds) return null;
  return (
    <p class="sure-line" data-testid="sure">
      <Sentences study={now} />
    </p>
  );
}

const isAssumed = ({ status }: Effect) => status === 'assumed';

function Sentences({ study: { of, now, seeds, other, effects, state } }: { study: Study }) {
  const { model } = of.report;
  // An official value is in no doubt, however much depends on it.
  const most = effects.find(({ status }) => status !== 'official') ?? effects[0];
  return (
    <>
      {seeds && q.seeds(model, seeds, SEEDS, isAlone(of))} {other && q.models(model, other.model, other.value)}{' '}
      {state === 'done' &&
        now !== null &&
        (most ? q.most(model, most.label, now, [most.half, most.double], most !== effects[0]) : q.none)}{' '}
      {model === 'gpu' && state === 'done' && most && !isAssumed(most) && q.assumed(effects.find(isAssumed) ?? null)}
    </>
  );
}

function columnsOf(model: Model): Column<Effect>[] {
  const show = (value: number | null) => (value === null ? q.refused : FOLLOWED[model].show(value));
  return [
    {
      key: 'parameter',
      label: q.parameter,
      head: true,
      value: (r) => (r.unit ? `${say(r.label)} (${say(r.unit)})` : say(r.label)),
    },
    { key: 'change', label: q.change, numeric: true, value: (r) => r.change, show: (r) => percent1(r.change) },
    { key: 'own', label: q.value, numeric: true, value: (r) => Number(r.own), show: (r) => r.own },
    { key: 'half', label: q.half, numeric: true, value: (r) => r.half ?? -1, show: (r) => show(r.half) },
    { key: 'double', label: q.double, numeric: true, value: (r) => r.double ?? -1, show: (r) => show(r.double) },
    { key: 'known', label: q.known, value: (r) => s.settings.status[r.status] ?? r.status },
  ];
}

/** How far the times of the model are off, and whether the table below can tell more. */
function Against({ result }: { result: store.Result }) {
  const { report, scenario } = result;
  if (report.model !== 'gpu') return null;
  const shown = report.kernels[store.kernel.value ?? 0];
  if (!shown) return null;
  const parts = report.kernels.map(({ gpu }) => ({ gpu, part: busiestPart(gpu) }));
  // No parameter is about the rate of the schedulers.
  const issue = parts.find(({ gpu, part }) => part === 'issue' && gpu.busy[part] >= LIMITS);
  return (
    <p data-testid="against-hardware">
      {errorSentence(scenario.gpu, Object.keys(scenario.set).length > 0, shown.gpu.seconds)}{' '}
      {issue && q.beyond(g.busy('issue', issue.gpu))}
    </p>
  );
}

export function SureDetails({ result }: { result: store.Result }) {
  return (
    <>
      <Against result={result} />
      <Dependence result={result} />
    </>
  );
}

/** What the followed number depends on. */
function Dependence({ result }: { result: store.Result }) {
  useEffect(follow, []);
  const { model } = result.report;
  const now = study.value?.of === result ? study.value : null;
  if (!now) {
    return (
      <>
        <p class="hint">{q.hint(model, isAlone(result))}</p>
        <p class="buttons">
          <button type="button" disabled={result.generation === null} onClick={() => void begin()}>
            {q.run}
          </button>
        </p>
      </>
    );
  }
  // The verdict says it where there are seeds. A table with nothing in it would leave this part empty.
  const told = now.seeds !== null && (now.state !== 'done' || now.effects.length > 0);
  return (
    <div aria-busy={now.state === 'running'}>
      {!told && (
        <p>
          <Sentences study={now} />
        </p>
      )}
      {now.state === 'running' && <p class="quiet">{q.running}</p>}
      {now.state === 'stopped' && <p class="quiet">{q.stopped}</p>}
      {now.effects.length > 0 && (
        <>
          <p class="hint">{q.hint(model, isAlone(result))}</p>
          <DataTable
            caption={q.hint(model, isAlone(result))}
            columns={columnsOf(model)}
            rows={now.effects}
            sort={{ key: 'change', down: true }}
          />
        </>
      )}
    </div>
  );
}
