// What a person can make the page do. Every action ends in a changed store, never in an exception.

import { batch } from '@preact/signals';
import type { LaunchState, Model, Parameter, Scenario } from '../engine/types';
import { first } from './first';
import { nameKey } from './names';
import { afterParts } from './parts';
import { defaultModel, withModel, withValue } from './scenario';
import {
  askAgain,
  asked,
  askedBeside,
  confirmFirst,
  engine,
  fitParameters,
  lastRunMs,
  loadParameters,
  reportCrash,
  safely,
  showDiagnostics,
  showFirst,
  showWaiting,
  simulate,
  stop,
} from './session';
import { openHash } from './sources';
import * as store from './store';
import { setView } from './tabs';
import { currentHash } from './url';

/** A run longer than this is not repeated at every change of a setting; the person asks for it. */
const QUICK_MS = 1500;

/** Shows what the link asks for, or the result that was made with the page, which the engine then confirms. */
export function boot() {
  engine.onCrash = (error) => reportCrash(error);
  const hash = currentHash();
  if (hash !== '' && hash !== first.link) {
    store.starting.value = true;
    return void openHash(hash).finally(() => (store.starting.value = false));
  }
  showFirst(hash === '' ? null : first.report.fingerprint);
  afterParts(() => void safely(confirmFirst));
}

/** A fresh engine after a crash; the page does once more what was asked for last. */
export function startAgain(): Promise<void> {
  return safely(async () => {
    const again = store.crash.value?.again ?? [null];
    store.crash.value = null;
    await Promise.all(again.map((ask) => (ask ?? pageAgain)()));
  });
}

async function pageAgain(): Promise<void> {
  engine.restart();
  store.generation.value = engine.generation;
  await (askAgain() ?? (store.source.value ? rerun() : openHash(currentHash())));
  // What was asked for last may be a setting, changed while the link was opened: the link is opened too.
  const said = store.diagnostics.value.length + store.wanted.value.length > 0 || store.unread.value !== null;
  if (store.source.value === null && store.crash.value === null && !said) await openHash(currentHash());
}

/** Runs the present settings, however long it takes. A link that is yet to be read runs its own. */
export function rerun(): Promise<void> {
  if (store.unread.value !== null) return Promise.resolve();
  return asked(async () => {
    await loadParameters();
    await simulate(null);
  });
}

export function cancel(): Promise<void> {
  const now = store.activity.value;
  if (now.kind !== 'idle') store.activity.value = { ...now, cancelling: true };
  return safely(stop);
}

/** Changes settings; a quick run follows at once, a long one waits to be asked for. */
function change(part: Partial<Scenario>): Promise<void> {
  batch(() => {
    store.scenario.value = { ...store.scenario.value, ...part, fingerprint: null };
    store.diagnostics.value = [];
    store.outcome.value = '';
  });
  return askedBeside(async () => {
    if (Object.keys(store.scenario.value.set).length > 0) await safely(fitParameters);
    const runs = store.source.value !== null && store.wanted.value.length === 0;
    if (runs && lastRunMs < QUICK_MS) return rerun();
    await loadParameters();
    if (runs) await showWaiting();
  });
}

/**
 * Another GPU has other values, so changes made to the old one's are dropped. The model of the whole GPU runs on every preset, so it stays:
 * numbers of another model say nothing about two GPUs. Nobody keeps one of a single Fermi L1 by chance.
 */
export function chooseGpu(gpu: string) {
  const model = defaultModel(gpu, store.presets, store.intake.value);
  const now = store.scenario.value.model;
  const keeps = store.modelChosen.value || now === 'gpu' || model === now;
  return change({ gpu, set: {}, ...(keeps ? {} : withModel(model)) });
}

export function chooseModel(model: Model) {
  store.modelChosen.value = true;
  return change(withModel(model));
}
export const chooseState = (state: LaunchState) => change({ state });

/** The same kernels in the model `paper` on the first GPU that has it by default: a Fermi. */
export function openInPaper() {
  const gpu = store.presets.find((p) => p.default_model === 'paper')?.id ?? store.scenario.value.gpu;
  store.modelChosen.value = false;
  return change({ gpu, set: {}, ...withModel('paper') });
}
/** Runs once more with classes of misses, or without them. A person asked for it, so it does not wait. */
export function chooseClasses(classes: boolean) {
  store.scenario.value = { ...store.scenario.value, classes, fingerprint: null };
  return rerun();
}
export const chooseSeed = (seed: number) => change({ seed });
export const setParameter = (parameter: Pick<Parameter, 'key' | 'value'>, value: string) =>
  change({ set: withValue(store.scenario.value.set, parameter, value) });
export const resetParameters = () => change({ set: {} });

/** Which kernels are run; an empty list is all of them. The one on show is chosen anew. */
export function chooseKernels(kernels: number[]) {
  store.kernel.value = null;
  return change({ kernels });
}
export const chooseWarm = (warm: boolean) => change({ warm });

/** Gives an array another name, which the link keeps; an empty one gives back its own. */
export function renameArray(base: string, name: string) {
  setView(nameKey(base), name.trim() || null);
}

export function dismissDiagnostics() {
  showDiagnostics([]);
}
