// What varies, the rows so far, and the run of a sweep.

import { signal } from '@preact/signals';
import { engine, tell } from '../../../app/session';
import * as store from '../../../app/store';
import { say } from '../../../content/messages';
import { w } from '../../../content/sweep';
import { isPageError } from '../../../engine/lost';
import type { Source } from '../../../engine/protocol';
import { SweepPool } from '../../../engine/scenario/sweep-pool';
import type { Parameter, Scenario, SweepOutline, SweepRow, SweepTable } from '../../../engine/types';

/** One axis as it stands in the form. */
export interface AxisInput {
  key: string;
  values: string;
}

export const first = signal<AxisInput | null>(null);
/** An empty key: there is no second axis. */
export const second = signal<AxisInput>({ key: '', values: '' });

export interface Swept {
  source: Source;
  scenario: Scenario;
  outline: SweepOutline;
  rows: SweepRow[];
}

export const swept = signal<Swept | null>(null);
/** What is under way: the points are made, or they run. */
export const running = signal<'planning' | 'points' | null>(null);
export const cancelling = signal(false);
/** What went wrong with the form, in words. */
export const problems = signal<string[]>([]);

const pool = new SweepPool();

/** Keys that vary beside the parameters, for the models that have them. */
function scenarioKeys(model: string): string[] {
  return model === 'gpu' ? ['gpu', 'state'] : ['seed', 'without', 'gpu'];
}

/** Keys and their names for the form. */
export function choices(scenario: Scenario, parameters: Parameter[]): [string, string][] {
  const settable = parameters.filter((p) => p.kind !== 'fact').map((p) => p.key);
  const others = scenarioKeys(scenario.model);
  const keys = scenario.model === 'gpu' ? [...others, ...settable] : [...settable, ...others];
  return keys.map((key) => [key, nameOf(key)]);
}

/** A parameter or another setting as people read it. */
export function nameOf(key: string): string {
  const parameter = store.parameters.value.find((p) => p.key === key);
  return parameter ? say(parameter.label) : (w.scenario[key] ?? key);
}

/** A person is about to sweep. */
export function prepare() {
  if (store.source.value && store.result.value) pool.prepare(store.source.value);
}

export const release = () => pool.release();

export function cancel() {
  cancelling.value = true;
  pool.cancel();
}

/** Runs all points; the rows are shown as they come. */
export async function run(axes: AxisInput[]) {
  const [result, source] = [store.result.value, store.source.value];
  if (!result || !source || running.value) return;
  const scenario: Scenario = { ...result.scenario, fingerprint: null };
  const vary = axes.filter((axis) => axis.key !== '').map((axis) => `${axis.key}=${axis.values}`);
  problems.value = [];
  running.value = 'planning';
  cancelling.value = false;
  try {
    const outline = await engine.sweepPlan(source, scenario, vary);
    if (!outline || cancelling.value) return;
    running.value = 'points';
    swept.value = { source, scenario, outline, rows: [] };
    come.length = 0;
    const whole = await pool.run(engine, source, scenario, vary, outline, take);
    show();
    const { length } = swept.value.rows;
    store.confirm(whole ? w.done(length) : w.cancelled(length, outline.points));
  } catch (error) {
    if (isPageError(error)) problems.value = error.diagnostics.map(w.problem);
    else tell(error);
  } finally {
    show();
    running.value = null;
  }
}

/** Rows that came since the last ones were shown: the chart is drawn by a worker that has points to run. */
const come: SweepRow[] = [];
const SHOW_MS = 400;
let showing: ReturnType<typeof setTimeout> | undefined;

function take(row: SweepRow) {
  come.push(row);
  showing ??= setTimeout(show, SHOW_MS);
}

function show() {
  clearTimeout(showing);
  showing = undefined;
  const now = swept.value;
  if (now) swept.value = { ...now, rows: [...now.rows, ...come.splice(0)].sort((a, b) => a.point - b.point) };
}

export const tableOf = ({ outline, rows }: Swept): SweepTable => ({ axes: outline.axes, rows });

/** Names of the numbers that the rows have, in the order of the report. */
export function names(rows: SweepRow[]): string[] {
  const known = new Set(rows.flatMap((row) => Object.keys(row.measures)));
  return w.order.filter((name) => known.has(name));
}
