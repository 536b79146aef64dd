// The one engine of the page and the steps that every action is made of: read, adopt, start.

import { batch } from '@preact/signals';
import { s } from '../content/strings';
import { EngineLost, isPageError, isWanted } from '../engine/lost';
import type { Source } from '../engine/protocol';
import { Engine } from '../engine/scenario/engine';
import type { Diagnostic, Intake, Scenario } from '../engine/types';
import { first } from './first';
import { memoryInstructions, onlyKnown, sameRun, worstKernel } from './scenario';
import * as store from './store';
import { Turns } from './turns';
import { landingOn, landings, showHash, showStep } from './url';

export const engine = new Engine();
/** Asks whatever works to end. */
export const stop = () => engine.cancel();
export const turns = new Turns(stop);

/** What a person asked for last, for another try after a crash. */
let last: (() => Promise<void>) | null = null;

/** Does what a person asks for, in place of what is under way. A crash before it is forgotten: its worker is replaced. */
export function asked(job: () => Promise<void>): Promise<void> {
  last = () => asked(job);
  return safely(() => {
    store.crash.value = null;
    return turns.take(job);
  });
}

/** Does what a person asks for beside what is under way, which goes on. */
export function askedBeside(job: () => Promise<void>): Promise<void> {
  last = () => askedBeside(job);
  return safely(job);
}

/** What was asked for went to a tab, which has workers of its own. */
export const leftToTab = () => void (last = null);

/** Asks once more for what was asked for last; null where nothing was. */
export const askAgain = () => last?.() ?? null;

/** wasm32 has 4 GiB in all; the rest is the engine's own. */
const MEMORY_LIMIT = 3 * 2 ** 30;
/** Parameters that change what a run holds. */
const MEMORY_KEYS = ['line_bytes', 'cache_bytes', 'ways', 'cores', 'core_limit', 'stores', 'l1_bytes', 'l2_bytes'];
/** How long the last finished run took. */
export let lastRunMs = 0;

/** Runs an action; what it throws becomes messages or the crash card. */
export async function safely(action: () => Promise<void>) {
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
  else reportCrash(error);
}

/** Shows the crash card. It offers `again`; null is what was asked of the page last. A card on show offers both. */
export function reportCrash(error: unknown, again: (() => Promise<void>) | null = null) {
  if (isWanted(error)) return;
  const e = error instanceof Error ? error : new Error(String(error));
  const kind = /memory/i.test(e.message) ? 'memory' : e instanceof EngineLost ? 'engine' : 'page';
  const details = [`${e.name}: ${e.message}`, e.stack ?? '', `page ${document.title}`, navigator.userAgent].join('\n');
  const before = store.crash.value;
  store.crash.value = { ...(before ?? { kind, details }), again: [...new Set([...(before?.again ?? []), again])] };
}

export function showDiagnostics(list: Diagnostic[], outcome = '') {
  batch(() => {
    store.diagnostics.value = list;
    store.outcome.value = outcome;
    store.streams.value = [];
    if (list[0]) store.announce(s.describe(list[0]));
  });
}

/** Reads a source; `null` when cancelled. What is on screen stays. */
export async function read(source: Source): Promise<Intake | null> {
  const total = source.files.reduce((sum, file) => sum + file.size, 0);
  store.activity.value = { kind: 'reading', done: 0, total, cancelling: false };
  try {
    const opened = await engine.open(source, progress('reading'), progress('emulating'));
    if (!opened) {
      sayCancelled();
      return null;
    }
    store.kernelRun.value = opened.text;
    return opened.intake;
  } finally {
    store.activity.value = { kind: 'idle' };
    store.generation.value = engine.generation;
  }
}

/** Makes a source that was read the present one. */
export function adopt(source: Source, intake: Intake) {
  batch(() => {
    store.source.value = source;
    store.intake.value = intake;
    store.kernel.value = null;
    store.wanted.value = [];
    store.mismatch.value = [];
    store.diagnostics.value = intake.diagnostics;
    store.refused.value = null;
    store.outcome.value = '';
  });
}

/**
 * Shows the result that was made with the page, for an address that asks for it or for nothing; `promised` is the
 * fingerprint in the address.
 */
export function showFirst(promised: string | null) {
  const { report, intake, text, parameters } = first;
  const scenario = { ...store.scenario.value, fingerprint: promised };
  batch(() => {
    store.source.value = { example: scenario.example, files: [], cuda: scenario.cuda };
    store.intake.value = intake;
    store.kernelRun.value = text;
    store.parameters.value = parameters;
    store.estimate.value = first.estimate;
    store.scenario.value = scenario;
    store.result.value = { report, scenario, intake, generation: null, reproduced: null };
    store.kernel.value = worstKernel(report);
  });
  showStep(first.link, scenario);
}

/** Has the engine run what was made with the page, so that charts and files come from it, and compares. */
export function confirmFirst(): Promise<void> {
  return turns.takeWhenIdle(async () => {
    const [shown, source] = [store.result.value, store.source.value];
    if (!shown || !source || shown.generation !== null) return;
    const report = await engine.run(source, shown.scenario, () => {});
    if (!report || store.result.value !== shown) return;
    const same = report.fingerprint === shown.report.fingerprint;
    const promised = shown.scenario.fingerprint;
    batch(() => {
      store.generation.value = engine.generation;
      store.result.value = {
        ...shown,
        report: same ? shown.report : report,
        generation: engine.generation,
        reproduced: promised === null ? null : promised === report.fingerprint,
      };
      if (!same) store.confirm(s.progress.firstDiffers, true);
    });
    if (!same) await showLink();
  });
}

/** Waits until a worker holds the result on show. */
export async function held(): Promise<void> {
  if (store.result.value?.generation === null) await confirmFirst();
}

/** Runs `scenario` unless it would not fit. `promised` is a link's fingerprint. */
export async function start(scenario: Scenario, promised: string | null) {
  store.scenario.value = { ...scenario, fingerprint: promised };
  await loadParameters();
  const need = store.estimate.value ?? 0;
  store.tooBig.value = need > MEMORY_LIMIT ? need : null;
  if (store.tooBig.value === null) await simulate(promised);
}

/** Runs the present settings on the present source and shows the result. */
export async function simulate(promised: string | null) {
  const { source, intake, scenario } = {
    source: store.source.value,
    intake: store.intake.value,
    scenario: store.scenario.value,
  };
  if (!source || !intake) return showDiagnostics([], s.problem.noTrace);
  waiting = null;
  store.activity.value = { kind: 'running', done: 0, total: 0, cancelling: false };
  store.tooBig.value = null;
  const began = performance.now();
  try {
    const report = await engine.run(source, scenario, progress('running'));
    if (!report) return sayCancelled();
    lastRunMs = performance.now() - began;
    const work = memoryInstructions(intake, scenario.kernels);
    if (work > 0) store.msPerInstruction.value = lastRunMs / work;
    const reproduced = promised === null ? null : promised === report.fingerprint;
    batch(() => {
      store.generation.value = engine.generation;
      store.before.value = store.result.value?.intake === intake ? store.result.value : null;
      store.result.value = { report, scenario, intake, generation: engine.generation, reproduced };
      store.kernel.value ??= worstKernel(report);
      store.announce(s.progress.done(report.kernels.length));
    });
    await showLink();
  } catch (error) {
    if (isPageError(error)) store.declined.value = scenario;
    throw error;
  } finally {
    store.activity.value = { kind: 'idle' };
    store.generation.value = engine.generation;
  }
}

/** What is on screen: the result's scenario, its fingerprint, and the present view. */
export function onScreen(): Scenario {
  const { result, scenario } = { result: store.result.value, scenario: store.scenario.value };
  const run = result ? { ...result.scenario, fingerprint: result.report.fingerprint } : scenario;
  return { ...run, view: scenario.view, base: scenario.base };
}

/** The link of what is on screen. */
export async function linkHash(): Promise<string> {
  return store.unread.value ?? (await engine.link(onScreen()));
}

/** Settings that wait for a person to run them; null where there are none. */
let waiting: Scenario | null = null;

/** Makes the present settings a step of the history, though nobody runs them yet. */
export async function showWaiting() {
  waiting = store.scenario.value;
  await showLink();
}

/** Brings the address in line with what is on screen, or with the settings that wait to be run. `chosen`: a person changed the view. */
export async function showLink(chosen = false) {
  const before = landings();
  const scenario = store.scenario.value;
  const waits = waiting !== null && store.stale.value && sameRun(waiting, scenario);
  // What a link asks for is not on screen before its run has ended. After that its address is still being made.
  const linked = chosen ? landingOn() : null;
  const ended = linked && store.result.value && sameRun(store.result.value.scenario, linked);
  const run = linked && !ended ? { ...linked, view: scenario.view, base: scenario.base } : null;
  const shown = run ?? (waits ? { ...scenario, fingerprint: null } : onScreen());
  const hash = store.unread.value ?? (await engine.link(shown));
  if (landings() !== before) return;
  if (store.unread.value === null) showStep(hash, shown, { waits, chosen });
  else showHash(hash);
}

function progress(kind: 'reading' | 'emulating' | 'running') {
  return (done: number, total: number) => {
    const now = store.activity.value;
    if (now.kind !== 'idle') store.activity.value = { ...now, kind, done, total };
  };
}

function sayCancelled() {
  store.confirm(store.result.value ? s.progress.cancelled : s.progress.cancelledEmpty);
}

/** Brings the parameter form in line with the GPU and the model. */
export async function loadParameters() {
  const { gpu, model } = store.scenario.value;
  store.parameters.value = await engine.parameters(gpu, model);
  await loadEstimate();
}

/** Leaves out what was set for another GPU or model and this one does not have. A link's keys are never left out. */
export async function fitParameters() {
  const { gpu, model } = store.scenario.value;
  const parameters = await engine.parameters(gpu, model);
  store.scenario.value = { ...store.scenario.value, set: onlyKnown(store.scenario.value.set, parameters) };
}

/** What the last estimate was made for. */
let estimated: unknown[] = [];

/** A large trace takes a while to look through, so only for a change that matters. */
async function loadEstimate() {
  const { source, scenario, intake } = {
    source: store.source.value,
    scenario: store.scenario.value,
    intake: store.intake.value,
  };
  const { gpu, model, warm, kernels, set } = scenario;
  const now = [source, JSON.stringify([gpu, model, warm, kernels, MEMORY_KEYS.map((key) => set[key])])];
  if (!source || now.every((part, i) => part === estimated[i])) return;
  // Settings that cannot be run have no estimate; the run says why.
  const bytes = await engine.estimate(source, scenario).catch((error: unknown) => {
    if (isPageError(error)) return null;
    throw error;
  });
  store.estimate.value = bytes ?? intake?.memory_bytes ?? null;
  estimated = bytes === null ? [] : now;
}
