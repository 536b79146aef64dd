// Steps through a run: one request of a core at a time, or one warp access of the model `gpu`, with the state before it and why it hit
// or missed.

import { useEffect } from 'preact/hooks';
import { chooseModel } from '../../../app/actions';
import { arrayNames, result, source } from '../../../app/store';
import { ProgressBar, useEscape } from '../../../components/progress-bar';
import { w } from '../../../content/why';
import { wg } from '../../../content/why-gpu';
import type { GpuWhyReport, Model, WhyReport, WhyStep } from '../../../engine/types';
import { CheckButton, Checked } from './checked';
import { GpuShown } from './gpu';
import { Pick } from './pick';
import * as state from './state';
import { Tables } from './tables';

const isGpu = (report: WhyReport | GpuWhyReport): report is GpuWhyReport => 'line_by_line' in report;

export function Why({ model, number }: { model: Model; number: number }) {
  return model === 'reference' ? <OpenPaper /> : <Steps number={number} />;
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
  useEffect(() => state.close, []);
  useEscape(() => state.asking.value !== null, state.cancel);
  const report = state.report.value;
  if (!ready) return <p class="quiet">{w.gone}</p>;
  return (
    <div class="steps" data-testid="why">
      {report && <p class="hint">{isGpu(report) ? wg.hint(report) : w.hint(report)}</p>}
      {report && <Stepper report={report} />}
      <p role="status" class="problems">
        {!state.picking.value && state.problem.value}
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
      {report && <ShownStep report={report} />}
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

/** The step on show, as its model tells it. */
function ShownStep({ report }: { report: WhyReport | GpuWhyReport }) {
  const step = state.shown.value?.step;
  if (isGpu(report)) {
    const own = report.steps.find((one) => one.step === step);
    return own ? <GpuShown report={report} step={own} /> : null;
  }
  const own = report.steps.find((one) => one.step === step);
  return own ? <Shown report={report} step={own} /> : null;
}

function Stepper({ report }: { report: WhyReport | GpuWhyReport }) {
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

function Place({ report }: { report: WhyReport | GpuWhyReport }) {
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
  const canCheck = !['hit', 'compulsory', 'cancelled', 'store'].includes(step.outcome);
  return (
    <>
      <div class="why-now" aria-live="polite">
        <p>{w.headline(step, name ? w.ofArray(name) : '', site ? w.ofLine(site.line, site.pc) : '')}</p>
        <p>
          <strong class={`outcome of-${step.outcome}`}>{w.outcome(step.outcome)}</strong> {w.cause(step, report)}
        </p>
        {w.remedy(step, report) !== '' && <p>{w.remedy(step, report)}</p>}
        <Checked report={report} step={step} whatIf={(list) => w.whatIf(list as WhyReport['what_if'])} />
      </div>
      <CheckButton report={report} step={step} asks={canCheck} />
      <Tables report={report} step={step} />
    </>
  );
}
