// The inputs that differ between two runs, named.

import { sameSource } from '../../../app/pair';
import { c } from '../../../content/compare';
import type { Report, Scenario } from '../../../engine/types';

export interface ChangedInput {
  name: string;
  before: string;
  now: string;
}

interface Run {
  scenario: Scenario;
  report: Report;
}

/** What ids and keys are called. */
export interface Names {
  gpu: (id: string) => string;
  parameter: (key: string) => string;
  state: (id: string) => string;
  /** The GPU's own value of a parameter; null where it is not known. */
  own: (scenario: Scenario, key: string) => string | null;
}

export function changedInputs(base: Run, now: Run, names: Names): ChangedInput[] {
  const { inputs } = c;
  const found: ChangedInput[] = [];
  const add = (name: string, before: string, after: string) => {
    if (before !== after) found.push({ name, before, now: after });
  };
  const [a, b] = [base.scenario, now.scenario];
  if (!sameSource(a, b)) {
    const [before, after] = [a, b].map(sourceName) as [string, string];
    add(inputs.kernel, before, before === after ? `${after} (${inputs.edited})` : after);
  }
  for (const name of keysOf(a.cuda.sizes, b.cuda.sizes))
    add(name, a.cuda.sizes[name] ?? inputs.asWritten, b.cuda.sizes[name] ?? inputs.asWritten);
  add(inputs.launch, a.cuda.launch ?? inputs.asWritten, b.cuda.launch ?? inputs.asWritten);
  add(inputs.form, a.cuda.form, b.cuda.form);
  add(inputs.gpu, names.gpu(a.gpu), names.gpu(b.gpu));
  add(inputs.model, a.model, b.model);
  if (a.model === 'gpu' && b.model === 'gpu') add(inputs.state, names.state(a.state), names.state(b.state));
  if (a.model !== 'gpu' && b.model !== 'gpu') {
    add(inputs.seed, String(a.seed), String(b.seed));
    add(inputs.warm, String(a.warm), String(b.warm));
  }
  add(inputs.kernels, a.kernels.join(', ') || inputs.all, b.kernels.join(', ') || inputs.all);
  for (const [key, before, after] of parameters(base, now, names)) add(names.parameter(key), before, after);
  return found;
}

function sourceName({ example, files }: Scenario): string {
  const all = [...(example === null ? [] : [example]), ...files.map(({ name }) => name)];
  return c.inputs.files(all);
}

function keysOf(a: Record<string, string>, b: Record<string, string>): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
}

/** Parameters that differ. Those of another GPU or model all do, so only those that a person set are named then. */
function parameters(base: Run, now: Run, { own }: Names): [string, string, string][] {
  const [a, b] = [base.scenario, now.scenario];
  const alike = a.gpu === b.gpu && a.model === b.model;
  const values = ({ report }: Run) => (alike && report.model !== 'gpu' ? report.parameters : {});
  const [before, after] = [
    { ...values(base), ...a.set },
    { ...values(now), ...b.set },
  ];
  return keysOf(before, after).map((key) => [
    key,
    before[key] ?? own(a, key) ?? c.inputs.own,
    after[key] ?? own(b, key) ?? c.inputs.own,
  ]);
}
