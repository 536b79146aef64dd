// Picks an access of a large run by array, instruction, set or line.

import { arrayNames, result } from '../../../app/store';
import { w } from '../../../content/why';
import { wg } from '../../../content/why-gpu';
import type { GpuWhyReport, WhyReport } from '../../../engine/types';
import * as state from './state';

export function Pick({ report }: { report: WhyReport | GpuWhyReport }) {
  const arrayOf = 'instruction_arrays' in report ? report.instruction_arrays : [];
  const kinds = 'line_by_line' in report ? wg.kinds : w.kinds;
  const names = arrayNames.value;
  const run = result.value?.report;
  // Accesses that are never a step: of shared and constant memory, and stores that pass by the L1.
  const without = ['shared', 'constant'];
  if (run && 'parameters' in run && run.parameters['stores'] === 'none') without.push('store');
  const nameOf = (index: number | null | undefined) => {
    const array = report.arrays[index ?? -1];
    return array ? (names[array.base] ?? array.name) : '';
  };
  return (
    <form class="why-pick" aria-label={w.pick} onSubmit={submit}>
      <strong>{w.pick}</strong>
      <label>
        {w.array}
        <select name="array">
          <option value="">{w.any}</option>
          {report.arrays.map((array, i) => (
            <option key={array.base} value={array.base}>
              {nameOf(i)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {w.instruction}
        <select name="instruction">
          <option value="">{w.any}</option>
          {report.instructions.map(
            (one, i) =>
              !without.includes(one.space) &&
              !without.includes(one.kind) && (
                <option key={i} value={String(i + 1)}>
                  {w.instructionName(i + 1, nameOf(arrayOf[i]), one)}
                </option>
              ),
          )}
        </select>
      </label>
      <label>
        {w.set}
        <input name="set" type="number" min={0} max={report.sets - 1} placeholder={w.any} />
      </label>
      <label>
        {w.address}
        <input name="line" spellcheck={false} autocomplete="off" placeholder={w.any} />
      </label>
      <label>
        {w.kind}
        <select name="outcome">
          {kinds.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <p class="buttons">
        <button type="submit">{w.find}</button>
        {state.filter.value && (
          <button type="button" onClick={state.clearFilter}>
            {w.clear}
          </button>
        )}
      </p>
      <p role="status">
        {state.picking.value && state.problem.value}
        {state.matches.value !== null && w.matches(state.matches.value)}
      </p>
    </form>
  );
}

// Outside of the component: Chromium keeps fields that were removed for its history, and with them what their form's listener refers to.
function submit(event: Event) {
  event.preventDefault();
  void state.pick(read(new FormData(event.currentTarget as HTMLFormElement)));
}

/** What was filled in; an empty field asks for nothing. */
function read(form: FormData): Record<string, string> {
  const fields = [...form].flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' && value.trim() !== '' ? [[key, value.trim()]] : [],
  );
  const { outcome, ...asked } = Object.fromEntries(fields);
  if (outcome === 'misses') return { ...asked, misses: 'on' };
  if (outcome?.startsWith('level:')) return { ...asked, level: outcome.slice(6) };
  return outcome === undefined ? asked : { ...asked, class: outcome };
}
