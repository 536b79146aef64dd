// What runs with a change said of the access on show, or the way to them.

import { w } from '../../../content/why';
import type { GpuWhyReport, GpuWhyStep, WhyReport, WhyStep } from '../../../engine/types';
import * as state from './state';

interface Props {
  report: WhyReport | GpuWhyReport;
  step: WhyStep | GpuWhyStep;
  /** Names the changes and what came of them. */
  whatIf: (list: state.WhatIfs) => { change: string; outcome: string; hits: boolean }[];
  /** Whether a change could help. */
  asks: boolean;
}

export function Checked({ report, step, whatIf, asks }: Props) {
  const done = state.checked.value;
  if (done?.step !== step.step || done.core !== report.core) {
    return asks ? (
      <p class="buttons">
        <button type="button" onClick={() => void state.check()}>
          {w.check}
        </button>
      </p>
    ) : null;
  }
  if (done.list.length === 0) return <p>{w.noChange}</p>;
  return (
    <>
      <p>{w.checked}</p>
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
