// What runs with a change said of the access on show, or the way to them.

import { useEffect, useRef } from 'preact/hooks';
import { w } from '../../../content/why';
import type { GpuWhyReport, GpuWhyStep, WhyReport, WhyStep } from '../../../engine/types';
import * as state from './state';

interface Props {
  report: WhyReport | GpuWhyReport;
  step: WhyStep | GpuWhyStep;
  /** Names the changes and what came of them. */
  whatIf: (list: state.WhatIfs) => { change: string; outcome: string; hits: boolean }[];
}

/** What the runs with a change said of the step, once they are done. */
function doneFor({ report, step }: Pick<Props, 'report' | 'step'>) {
  const done = state.checked.value;
  return done?.step === step.step && done.core === report.core ? done : null;
}

/** The way to the runs. It stands outside the live region, which would read its label at each step. */
export function CheckButton({ asks, ...of }: Pick<Props, 'report' | 'step'> & { asks: boolean }) {
  if (!asks || doneFor(of)) return null;
  return (
    <p class="buttons">
      <button type="button" onClick={() => void state.check()}>
        {w.check}
      </button>
    </p>
  );
}

export function Checked({ report, step, whatIf }: Props) {
  const done = doneFor({ report, step });
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The button went away, and its focus with it.
    if (document.activeElement === document.body) said.current?.focus();
  }, [done]);
  if (!done) return null;
  if (done.list.length === 0)
    return (
      <p ref={said} tabIndex={-1}>
        {w.noChange}
      </p>
    );
  return (
    <>
      <p ref={said} tabIndex={-1}>
        {w.checked}
      </p>
      <ul class="what-if">
        {whatIf(done.list).map((one) => (
          <li key={one.change}>
            {one.change}: {one.hits ? <strong>{one.outcome}</strong> : one.outcome}
          </li>
        ))}
      </ul>
    </>
  );
}
