// What a person can make the page do. Every action ends in a changed store, never in an exception.

import { batch } from '@preact/signals';
import { s } from '../content/strings';
import { Engine, EngineLost, isPageError } from '../engine/engine';
import type { Source } from '../engine/protocol';
import type { Diagnostic, Intake, Model, Parameter, Scenario } from '../engine/types';
import { freshScenario, onlyKnown, usable, whyNotWanted, withValue, worstKernel } from './scenario';
import * as store from './store';
import { Turns } from './turns';
import { currentHash, showHash } from './url';

export const engine = new Engine();
const turns = new Turns(() => engine.cancel());

/** A run longer than this is not repeated at every change of a setting; the person asks for it. */
const QUICK_MS = 1500;
/** wasm32 has 4 GiB in all; the rest is the engine's own. */
const MEMORY_LIMIT = 3 * 2 ** 30;
let lastRunMs = 0;

/** Runs an action; what it throws becomes messages or the crash card. */
async function safely(action: () => Promise<void>) {
  try {
    await action();
  } catch (error) {
    tell(error);
  }
}

/** Turns whatever was thrown into something to read. */
export function tell(error: unknown) {
  store.activity.value = { kind: 'idle' };
  if (isPageError(error)) showDiagnostics(error.diagnostics);
  else if (!(error instanceof EngineLost && error.wanted)) reportCrash(error);
}

export function reportCrash(error: unknown) {
  const e = error instanceof Error ? error : new Error(String(error));
  const kind = /memory/i.test(e.message) ? 'memory' : e instanceof EngineLost ? 'engine' : 'page';
  const details = [`${e.name}: ${e.message}`, e.stack ?? '', `page ${document.title}`, navigator.userAgent].join('\n');
  store.crash.value ??= { kind, details };
}

function showDiagnostics(list: Diagnostic[], outcome = '') {
  batch(() => {
    store.diagnostics.value = list;
    store.outcome.value = outcome;
    if (list[0]) store.announce(s.describe(list[0]));
  });
}

/** Reads the catalogue, then shows what the link asks for, or the first example. */
export function boot(): Promise<void> {
  engine.onCrash = reportCrash;
  return safely(async () => {
    const { presets, examples } = await engine.boot();
    batch(() => {
      store.presets.value = presets;
      store.examples.value = examples;
      store.scenario.value = freshScenario(examples[0], presets[0]);
    });
    await openHash(currentHash());
  });
}

/** A fresh engine after a crash; the page starts over with what it last showed. */
export function startAgain(): Promise<void> {
  return safely(async () => {
    store.crash.value = null;
    await engine.restart();
    store.generation.value = engine.generation;
    await (store.source.value ? rerun() : openHash(currentHash()));
  });
}

/** Follows a link: an example runs at once; files are asked for. */
export function openHash(hash: string): Promise<void> {
  return safely(async () => {
    if (!hash) return openExample(store.examples.value[0]?.id ?? null, null);
    let linked: Scenario;
    try {
      linked = await engine.parseLink(hash);
    } catch (error) {
      if (!isPageError(error)) throw error;
      await openExample(store.examples.value[0]?.id ?? null, null);
      showDiagnostics(error.diagnostics, s.problem.linkHelp);
      return;
    }
    if (linked.files.length > 0 && whyNotWanted(linked.files, filesInUse()).length > 0) return turns.take(() => askForFiles(linked));
    if (linked.files.length > 0) return turns.take(() => start({ ...linked, files: filesInUse() }, linked.fingerprint));
    await openExample(linked.example, linked);
  });
}

function filesInUse() {
  return store.intake.value?.files.map((f) => f.id) ?? [];
}

async function askForFiles(linked: Scenario) {
  batch(() => {
    store.scenario.value = linked;
    store.wanted.value = linked.files;
    store.mismatch.value = [];
    store.result.value = null;
    store.diagnostics.value = [];
    store.outcome.value = '';
    store.parameters.value = [];
    store.announce(s.wanted.heading(linked.files.length));
  });
}

/** Loads an example and runs it, with the settings of `linked` or the present ones. */
export function openExample(id: string | null, linked: Scenario | null = null): Promise<void> {
  if (id === null) return Promise.resolve();
  return safely(() =>
    turns.take(async () => {
      const source: Source = { example: id, files: [] };
      const intake = await read(source);
      if (!intake) return;
      adopt(source, intake);
      const settings = linked ?? { ...store.scenario.value, fingerprint: null };
      const gpu = settings.gpu === 'file' ? (store.presets.value[0]?.id ?? '') : settings.gpu;
      await start({ ...settings, gpu, example: id, files: [] }, linked?.fingerprint ?? null);
    }),
  );
}

/** Files from a drop or the picker, as many as came. */
export function openFiles(files: File[]): Promise<void> {
  if (files.length === 0) return Promise.resolve();
  return safely(() => turns.take(() => takeFiles({ example: null, files })));
}

async function takeFiles(offered: Source) {
  const linked = store.wanted.value.length > 0 ? store.scenario.value : null;
  let source = offered;
  let intake = await read(source);
  if (!intake) return;
  if (!usable(intake) && intake.topology !== null && store.source.value) {
    // A GPU without a trace: it joins the trace that is there.
    source = { ...store.source.value, files: [...store.source.value.files, ...offered.files] };
    intake = await read(source);
    if (!intake) return;
  }
  const outcome = usable(intake) ? '' : store.result.value ? s.diagnostics.kept : s.diagnostics.keptEmpty;
  showDiagnostics(intake.diagnostics, outcome);
  if (!usable(intake)) return;
  const came = intake.files.map((f) => f.id);
  if (linked) {
    store.mismatch.value = whyNotWanted(linked.files, came);
    offeredInstead = { source, intake };
    if (store.mismatch.value.length > 0) return;
  }
  adopt(source, intake);
  await start(settingsFor(source, intake, linked), linked?.fingerprint ?? null);
}

/** Files that were dropped for a link but are others. */
let offeredInstead: { source: Source; intake: Intake } | null = null;

/** Takes the files although the link names others. */
export function useAnyway(): Promise<void> {
  const offer = offeredInstead;
  if (!offer) return Promise.resolve();
  const linked = store.scenario.value;
  return safely(() =>
    turns.take(async () => {
      adopt(offer.source, offer.intake);
      await start(settingsFor(offer.source, offer.intake, linked), linked.fingerprint);
    }),
  );
}

function settingsFor(source: Source, intake: Intake, linked: Scenario | null): Scenario {
  const settings = linked ?? { ...store.scenario.value, fingerprint: null };
  const presetGpu = settings.gpu === 'file' ? (store.presets.value[0]?.id ?? '') : settings.gpu;
  const gpu = intake.topology === null ? presetGpu : linked ? linked.gpu : 'file';
  return { ...settings, gpu, set: gpu === settings.gpu ? settings.set : {}, example: source.example, files: intake.files.map((f) => f.id) };
}

async function read(source: Source): Promise<Intake | null> {
  const total = source.files.reduce((sum, file) => sum + file.size, 0);
  store.activity.value = { kind: 'reading', done: 0, total, cancelling: false };
  try {
    const intake = await engine.open(source, progress('reading'));
    if (!intake) sayCancelled();
    return intake;
  } finally {
    store.activity.value = { kind: 'idle' };
    store.generation.value = engine.generation;
  }
}

function adopt(source: Source, intake: Intake) {
  batch(() => {
    store.source.value = source;
    store.intake.value = intake;
    store.kernel.value = null;
    store.wanted.value = [];
    store.mismatch.value = [];
    store.diagnostics.value = intake.diagnostics;
    store.outcome.value = '';
  });
}

/** Runs `scenario` unless it would not fit. `promised` is a link's fingerprint. */
async function start(scenario: Scenario, promised: string | null) {
  store.scenario.value = { ...scenario, fingerprint: promised };
  await loadParameters();
  const need = store.intake.value?.memory_bytes ?? 0;
  store.tooBig.value = need > MEMORY_LIMIT ? need : null;
  if (store.tooBig.value === null) await simulate(promised);
}

async function simulate(promised: string | null) {
  const { source, intake, scenario } = { source: store.source.value, intake: store.intake.value, scenario: store.scenario.value };
  if (!source || !intake) return showDiagnostics([], s.problem.noTrace);
  store.activity.value = { kind: 'running', done: 0, total: 0, cancelling: false };
  store.tooBig.value = null;
  const began = performance.now();
  try {
    const report = await engine.run(source, scenario, progress('running'));
    if (!report) return sayCancelled();
    lastRunMs = performance.now() - began;
    const reproduced = promised === null ? null : promised === report.fingerprint;
    batch(() => {
      store.generation.value = engine.generation;
      store.result.value = { report, scenario, intake, generation: engine.generation, reproduced };
      store.kernel.value ??= worstKernel(report);
      store.announce(s.progress.done(report.kernels.length));
    });
    showHash(await engine.link({ ...scenario, fingerprint: report.fingerprint }));
  } finally {
    store.activity.value = { kind: 'idle' };
    store.generation.value = engine.generation;
  }
}

function progress(kind: 'reading' | 'running') {
  return (done: number, total: number) => {
    const now = store.activity.value;
    if (now.kind === kind) store.activity.value = { ...now, done, total };
  };
}

function sayCancelled() {
  store.confirm(store.result.value ? s.progress.cancelled : s.progress.cancelledEmpty);
}

async function loadParameters() {
  const { gpu, model, set } = store.scenario.value;
  const parameters: Parameter[] = await engine.parameters(gpu, model);
  batch(() => {
    store.parameters.value = parameters;
    store.scenario.value = { ...store.scenario.value, set: onlyKnown(set, parameters) };
  });
}

/** Runs the present settings, however long it takes. */
export function rerun(): Promise<void> {
  return safely(() =>
    turns.take(async () => {
      await loadParameters();
      await simulate(null);
    }),
  );
}

export function cancel(): Promise<void> {
  const now = store.activity.value;
  if (now.kind !== 'idle') store.activity.value = { ...now, cancelling: true };
  return safely(() => engine.cancel());
}

/** Changes settings; a quick run follows at once, a long one waits to be asked for. */
async function change(part: Partial<Scenario>) {
  batch(() => {
    store.scenario.value = { ...store.scenario.value, ...part, fingerprint: null };
    store.diagnostics.value = [];
    store.outcome.value = '';
  });
  const follows = store.source.value !== null && store.wanted.value.length === 0 && lastRunMs < QUICK_MS;
  await (follows ? rerun() : safely(loadParameters));
}

/** Another GPU has other values, so changes made to the old one's are dropped. */
export const chooseGpu = (gpu: string) => change({ gpu, set: {} });
export const chooseModel = (model: Model) => change({ model });
export const chooseSeed = (seed: number) => change({ seed });
export const setParameter = (parameter: Parameter, value: string) =>
  change({ set: withValue(store.scenario.value.set, parameter, value) });
export const resetParameters = () => change({ set: {} });

export function dismissDiagnostics() {
  showDiagnostics([]);
}
