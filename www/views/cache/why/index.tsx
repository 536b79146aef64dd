// Steps through a run of the model `paper`: one request at a time, with the state before it and why it hit or missed.

import { useEffect } from 'preact/hooks';
import { chooseModel } from '../../../app/actions';
import { arrayNames, result, source } from '../../../app/store';
import { ProgressBar, useEscape } from '../../../components/progress-bar';
import { w } from '../../../content/why';
import type { Model, WhyReport, WhyStep } from '../../../engine/types';
import { Pick } from './pick';
import * as state from './state';
import { Tables } from './tables';

export function Why({ model, number }: { model: Model; number: number }) {
  return model === 'paper' ? <Steps number={number} /> : <OpenPaper />;
}

function OpenPaper() {
  return (
    <>
      <p>{w.onlyPaper}</p>
      <p class="buttons">
        <button type="button" onClick={() => void chooseModel('paper')}>
          {w.openPaper}
        </button>
      </p>
    </>
  );
}

function Steps({ number }: { number: number }) {
  const ready = result.value !== null && source.value !== null;
  const run = result.value?.report.fingerprint;
  useEffect(() => void state.open(number), [number, run, ready]);
  useEscape(() => state.asking.value !== null, state.cancel);
  const report = state.report.value;
  if (!ready) return <p class="quiet">{w.gone}</p>;
  return (
    <div class="steps" data-testid="why">
      {report && <p class="hint">{w.hint(report)}</p>}
      {report && <Stepper report={report} />}
      <p role="status" class="problems">
        {state.problem.value}
      </p>
      {state.asking.value !== null && state.progress.value.total > 0 && (
        <ProgressBar
          testId="why-progress"
          label={w.checking}
          {...state.progress.value}
          cancelling={false}
          onCancel={state.cancel}
        />
      )}
      {report && state.shown.value && <Shown report={report} step={state.shown.value} />}
      {report && <Pick report={report} />}
    </div>
  );
}

/** What each key does while the stepper has the focus. */
const keys: Record<string, () => void> = {
  ArrowRight: () => void state.show(state.place.value.step + 1),
  ArrowLeft: () => void state.show(state.place.value.step - 1),
  ArrowDown: () => void state.walk(true),
  ArrowUp: () => void state.walk(false),
  Home: () => void state.show(1),
};

function Stepper({ report }: { report: WhyReport }) {
  const { step, core } = state.place.value;
  const filtered = state.filter.value !== null;
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key];
    if (!act || (event.target as HTMLElement).tagName === 'INPUT') return;
    event.preventDefault();
    act();
  };
  return (
    <div class="stepper" role="group" aria-label={w.stepper} tabIndex={0} onKeyDown={onKeyDown}>
      <Turn label={w.first} act={() => void state.show(1)} disabled={step <= 1} />
      <Turn label={`◂ ${w.back}`} act={() => void state.show(step - 1)} disabled={step <= 1} />
      <Turn label={`${w.forward} ▸`} act={() => void state.show(step + 1)} disabled={step >= report.core_steps} />
      <Turn label={filtered ? w.previousMatch : w.previousMiss} act={() => void state.walk(false)} />
      <Turn label={filtered ? w.nextMatch : w.nextMiss} act={() => void state.walk(true)} />
      <Place key={`${core}.${step}`} report={report} />
    </div>
  );
}

function Turn({ label, act, disabled }: { label: string; act: () => void; disabled?: boolean }) {
  // A button that is switched off would lose the focus, and the arrow keys with it.
  return (
    <button type="button" aria-disabled={disabled} onClick={() => !disabled && act()}>
      {label}
    </button>
  );
}

function Place({ report }: { report: WhyReport }) {
  const { step, core } = state.place.value;
  const submit = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    void state.show(Number(form.get('step')), Number(form.get('core') ?? core));
  };
  return (
    <form class="place" onSubmit={submit}>
      <label>
        {w.step} <input name="step" type="number" min={1} required defaultValue={String(step)} />
      </label>{' '}
      <span class="quiet">{w.of(report.core_steps)}</span>
      {report.cores > 1 && (
        <label>
          {w.core}{' '}
          <input name="core" type="number" min={0} max={report.cores - 1} required defaultValue={String(core)} />
        </label>
      )}
      <button type="submit">{w.go}</button>
    </form>
  );
}

function Shown({ report, step }: { report: WhyReport; step: WhyStep }) {
  const array = report.arrays[step.array ?? -1];
  const name = array && (arrayNames.value[array.base] ?? array.name);
  const site = report.instructions[step.instruction - 1];
  const done = state.checked.value;
  const list = done?.step === step.step && done.core === report.core ? w.whatIf(done.list) : null;
  const canCheck = !['hit', 'compulsory', 'cancelled', 'store'].includes(step.outcome);
  return (
    <>
      <div class="why-now" aria-live="polite">
        <p>{w.headline(step, name ? w.ofArray(name) : '', site ? w.ofLine(site.line, site.pc) : '')}</p>
        <p>
          <strong class={`outcome of-${step.outcome}`}>{w.outcome(step.outcome)}</strong> {w.cause(step, report)}
        </p>
        {w.remedy(step, report) !== '' && <p>{w.remedy(step, report)}</p>}
        {list && (
          <>
            <p>{w.checked}</p>
            <ul class="what-if">
              {list.map((one) => (
                <li key={one.change}>
                  {one.change}: {one.hits ? <strong>{one.outcome}</strong> : one.outcome}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      {canCheck && !list && (
        <p class="buttons">
          <button type="button" onClick={() => void state.check()}>
            {w.check}
          </button>
        </p>
      )}
      <Tables report={report} step={step} />
    </>
  );
}
