// The sweep: what varies, then a chart and a table with a row per point.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { save } from '../../../app/output';
import { engine } from '../../../app/session';
import { parameters, presets, result, scenario, source } from '../../../app/store';
import { Coded } from '../../../components/coded';
import { DataTable, type Column } from '../../../components/data-table';
import { Drawing } from '../../../components/drawing';
import { ProgressBar, useEscape } from '../../../components/progress-bar';
import { s } from '../../../content/strings';
import { w } from '../../../content/sweep';
import type { Look, SweepRow } from '../../../engine/types';
import * as state from './state';
import { fastest, firstValues, hasOrder } from './values';

export function Sweep() {
  useEffect(() => state.release, []);
  useEscape(() => state.running.value !== null, state.cancel);
  const done = state.swept.value;
  // While the points are made, the rows are those of the sweep before.
  const now = state.running.value === 'points' ? done : null;
  return (
    <div class="sweep">
      <p class="hint">{w.hint}</p>
      <Form />
      {state.problems.value.length > 0 && (
        <div role="alert" class="mismatch problems">
          {state.problems.value.map((problem) => (
            <p key={problem}>
              <Coded text={problem} />
            </p>
          ))}
        </div>
      )}
      {state.running.value !== null && (
        <ProgressBar
          testId="sweep-progress"
          label={w.working}
          done={now?.rows.length ?? 0}
          total={now?.outline.points ?? 0}
          cancelling={state.cancelling.value}
          onCancel={state.cancel}
        >
          {now && w.points(now.rows.length, now.outline.points)}
        </ProgressBar>
      )}
      {done && done.rows.length > 0 && <Outcome swept={done} />}
    </div>
  );
}

function Form() {
  const list = state.choices(scenario.value, parameters.value);
  const known = (key: string) => list.some(([name]) => name === key);
  const first = state.first.value;
  const usual = known('ways') ? 'ways' : (list[0]?.[0] ?? '');
  const chosen = first && known(first.key) ? first : begin(usual);
  const second = known(state.second.value.key) ? state.second.value : { key: '', values: '' };
  const ready = result.value !== null && source.value !== null;
  const submit = (event: Event) => {
    event.preventDefault();
    void state.run([chosen, second]);
  };
  return (
    <form onFocusCapture={state.prepare} class="sweep-form" onSubmit={submit}>
      <Axis
        name="first"
        label={w.first}
        axis={chosen}
        list={list.filter(([key]) => key !== second.key)}
        set={(axis) => (state.first.value = axis)}
      />
      <Axis
        name="second"
        label={w.second}
        axis={second}
        list={[['', w.none], ...list.filter(([key]) => key !== chosen.key)]}
        set={(axis) => (state.second.value = axis)}
      />
      <p class="quiet" id="sweep-values-help">
        {w.valuesHelp}
      </p>
      <p class="buttons">
        {/* A button that is switched off would lose the focus. */}
        <button type="submit" class="primary" disabled={!ready} aria-disabled={state.running.value !== null}>
          {state.swept.value ? w.again : w.run}
        </button>
        {!ready && <span class="quiet">{w.gone}</span>}
      </p>
    </form>
  );
}

const begin = (key: string): state.AxisInput => ({
  key,
  values: firstValues(key, parameters.value, scenario.value.gpu),
});

interface AxisProps {
  name: string;
  label: string;
  axis: state.AxisInput;
  list: [string, string][];
  set: (axis: state.AxisInput) => void;
}

function Axis({ name, label, axis, list, set }: AxisProps) {
  const id = `sweep-${name}`;
  return (
    <div class="sweep-axis">
      <label for={id}>{label}</label>
      <select id={id} value={axis.key} onChange={(e) => set(begin(e.currentTarget.value))}>
        {list.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
      {axis.key !== '' && (
        <>
          <label for={`${id}-values`}>{w.values}</label>
          <input
            id={`${id}-values`}
            value={axis.values}
            spellcheck={false}
            autocomplete="off"
            aria-describedby="sweep-values-help"
            onInput={(e) => set({ ...axis, values: e.currentTarget.value })}
          />
          {axis.key === 'gpu' && <AddGpu values={axis.values} set={(values) => set({ ...axis, values })} />}
        </>
      )}
    </div>
  );
}

/** GPUs by their names, for a list of ids that nobody knows by heart. */
function AddGpu({ values, set }: { values: string; set: (values: string) => void }) {
  const there = values.split(',').map((id) => id.trim());
  const add = (id: string) => set([...there.filter(Boolean), id].join(','));
  return (
    <select
      class="add-gpu"
      aria-label={w.addGpu}
      value=""
      onChange={(e) => e.currentTarget.value && add(e.currentTarget.value)}
    >
      <option value="">{w.addGpu}</option>
      {presets
        .filter(({ id }) => !there.includes(id))
        .map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
    </select>
  );
}

/** A point by the values that vary, a GPU by its name. */
function pointName({ outline: { axes } }: state.Swept, { values }: SweepRow): string {
  const name = (value: string, i: number) =>
    (axes[i]?.key === 'gpu' && presets.find(({ id }) => id === value)?.name) || value;
  return values.map(name).join(', ');
}

function Fastest({ swept }: { swept: state.Swept }) {
  const found = fastest(swept);
  if (!found) return null;
  const names = found.beside.map((row) => pointName(swept, row));
  return (
    <p>{w.fastest(pointName(swept, found.first), w.value('seconds', found.first.measures['seconds'] ?? 0), names)}</p>
  );
}

function Outcome({ swept }: { swept: state.Swept }) {
  const names = state.names(swept.rows);
  const wanted = useSignal('');
  const { axes } = swept.outline;
  // Cycles of several GPUs are of several clocks.
  const first = axes.some(({ key }) => key === 'gpu') ? 'seconds' : 'cycles';
  const measure = [wanted.value, first].find((name) => names.includes(name)) ?? 'miss_rate';
  const table = state.tableOf(swept);
  const failed = swept.rows.filter((row) => row.error);
  const draw = (look: Look) => engine.sweepFigure(table, measure, look);
  return (
    <div data-testid="sweep-result">
      {source.value !== swept.source && <p class="quiet">{w.before}</p>}
      {state.problems.value.length > 0 && <p class="banner">{w.kept}</p>}
      {names.length > 0 && (
        <>
          <Fastest swept={swept} />
          <p>
            <label for="sweep-measure">{w.shows}</label>{' '}
            <select id="sweep-measure" value={measure} onChange={(e) => (wanted.value = e.currentTarget.value)}>
              {names.map((name) => (
                <option key={name} value={name}>
                  {w.measure(name)}
                </option>
              ))}
            </select>
          </p>
          <Drawing
            draw={draw}
            of={[swept, measure]}
            name={`sweep-${axes.map((axis) => axis.key).join('-')}`}
            label={w.chart(w.measure(measure), axes[0] ? state.nameOf(axes[0].key) : '')}
            table={<Table swept={swept} names={names} />}
          />
          {!hasOrder(axes[0]?.key ?? '', parameters.value) && <p class="quiet">{w.noOrder}</p>}
        </>
      )}
      {failed.length > 0 && (
        <details class="sweep-failed">
          <summary>{w.why(failed.length)}</summary>
          <ul>
            {failed.map((row) => (
              <li key={row.point}>
                {row.values.join(', ')}: {row.error}
              </li>
            ))}
          </ul>
        </details>
      )}
      <p class="buttons">
        <button
          type="button"
          onClick={() => void engine.sweepCsv(table).then((csv) => save('warpscope-sweep.csv', 'text/csv', csv))}
        >
          {w.csv}
        </button>
        <button
          type="button"
          onClick={() => save('warpscope-sweep.json', 'application/json', `${JSON.stringify(table)}\n`)}
        >
          {w.json}
        </button>
      </p>
    </div>
  );
}

function Table({ swept, names }: { swept: state.Swept; names: string[] }) {
  const columns: Column<SweepRow>[] = [
    ...swept.outline.axes.map((axis, i): Column<SweepRow> => ({
      key: `axis-${axis.key}`,
      label: state.nameOf(axis.key),
      head: i === 0,
      value: (row) => row.values[i] ?? '',
    })),
    ...names.map((name): Column<SweepRow> => ({
      key: name,
      label: w.measure(name),
      numeric: true,
      value: (row) => row.measures[name] ?? -1,
      show: (row) => (row.error ? w.failed : w.value(name, row.measures[name] ?? 0)),
    })),
    { key: 'fingerprint', label: s.sweep.fingerprint, show: (row) => <code>{row.fingerprint}</code> },
  ];
  return <DataTable caption={w.caption} columns={columns} rows={swept.rows} firstPage={50} />;
}
