// Which changes of what the address says are steps of the browser's history.

import type { Scenario } from '../engine/types';

/** What of a scenario Back can undo, by name. */
export type Fields = Record<string, string>;

export interface Step {
  fields: Fields;
  /** The fields that the step before had otherwise. */
  changed: string;
  /** When it was made or changed last, in milliseconds. */
  at: number;
}

/** Changes of the same fields within this time are one step. Another trace always is one, and so is another part that is picked. */
const QUICK_MS = 1000;
/** A text that is run while it is typed changes at every pause. The editor's own undo has the finer steps. */
const TYPING_MS = 30_000;

/** Parts of the view that say what came out, or what is pointed at. */
const QUIET = /\.(result|line|look)$/;

export function fieldsOf(scenario: Scenario): Fields {
  const { gpu, model, state, classes, seed, warm, kernels, example, files, cuda, set, view, base } = scenario;
  const plain = { gpu, model, state, classes, seed, warm, kernels, example, form: cuda.form, launch: cuda.launch };
  const fields = {
    ...plain,
    files: files.map((f) => [f.name, f.format]),
    contents: files.map((f) => f.sha256),
    base: base && { ...base, fingerprint: null },
    ...named('size', cuda.sizes),
    ...named('set', set),
    ...named('view', view),
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (QUIET.test(key) ? [] : [[key, JSON.stringify(value)]])),
  );
}

function named(kind: string, values: Record<string, string>): Fields {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`${kind}.${key}`, value]));
}

/** The step that `fields` are, after `before`; whether it is a new one. */
export function nextStep(before: Step | null, fields: Fields, now: number): { step: Step; isNew: boolean } {
  if (!before) return { step: { fields, changed: '', at: -Infinity }, isNew: false };
  const keys = [...new Set([...Object.keys(before.fields), ...Object.keys(fields)])].sort();
  const changed = keys.filter((key) => before.fields[key] !== fields[key]).join(' ');
  if (changed === '') return { step: { ...before, fields }, isNew: false };
  const quick = now - before.at < (changed === 'contents' ? TYPING_MS : QUICK_MS);
  const same = changed === before.changed && !/\b(example|files|view\.only)\b/.test(changed);
  return { step: { fields, changed, at: now }, isNew: !same || !quick };
}
