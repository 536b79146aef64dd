// The step on show, the steps around it, and the questions to the engine.

import { computed, signal } from '@preact/signals';
import { engine, safely, stop, turns } from '../../../app/session';
import * as store from '../../../app/store';
import { setView, viewValue } from '../../../app/tabs';
import { w } from '../../../content/why';
import { isPageError } from '../../../engine/lost';
import type { GpuWhyReport, WhyReport } from '../../../engine/types';

type Answer = WhyReport | GpuWhyReport;
export type WhatIfs = Answer['what_if'];

/** Keys with values, as the engine takes them. */
type Question = Record<string, string>;

/** Steps that are asked for at once, and how many of them come before the wanted one. */
const STEPS = 64;
const LEAD = 31;

export const report = signal<Answer | null>(null);
/** A question is under way: a step, or runs with a change. */
export const asking = signal<'step' | 'check' | null>(null);
export const progress = signal({ done: 0, total: 0 });
/** Why the last question has no answer. */
export const problem = signal('');
/** The last question picked an access: what came of it stands beside the fields, which may be a screen below the steps. */
export const picking = signal(false);
/** What the accesses that are walked must have; null: all, and the buttons go to misses. */
export const filter = signal<Question | null>(null);
/** How many accesses fit the filter. */
export const matches = signal<number | null>(null);
/** What the runs with a change said of a step. */
export const checked = signal<{ core: number; step: number; list: WhatIfs } | null>(null);

/** The number of the kernel that is stepped through. */
let kernel = 0;
/** Counts the questions: only the last one is answered. */
let latest = 0;
/** The engine works on a question. Until then it may work for somebody else, whom a stop would hit. */
let answering = false;

const numberOf = (key: string, otherwise: number) => {
  const value = Number(viewValue(key) ?? otherwise);
  return Number.isInteger(value) && value >= 0 ? value : otherwise;
};

/** The step and the core of the link. */
export const place = computed(() => ({ step: Math.max(1, numberOf('why', 1)), core: numberOf('why.core', 0) }));

function setPlace(step: number, core: number) {
  setView('why.core', core === 0 ? null : String(core));
  setView('why', String(step));
}

/** The number of the step on show, once the engine has told it. */
export const shown = computed(() => {
  const { step, core } = place.value;
  const now = report.value;
  const steps: { step: number }[] = now?.core === core ? now.steps : [];
  return steps.find((one) => one.step === step) ?? null;
});

const at = (step: number, core: number): Question => ({ step: String(step), core: String(core) });

/** Asks the engine; null when a newer question came, it was cancelled, or it has no answer. */
async function ask(question: Question): Promise<Answer | null> {
  const mine = ++latest;
  if (answering) void stop();
  asking.value = question['check'] === undefined ? 'step' : 'check';
  progress.value = { done: 0, total: 0 };
  problem.value = '';
  picking.value = question['match'] !== undefined;
  const given: { answer: Answer | null } = { answer: null };
  // A question about the last result must not take the engine from a source that is being read.
  await safely(() =>
    turns.takeWhenIdle(async () => {
      if (mine !== latest) return;
      answering = true;
      try {
        given.answer = await answerTo(question, mine);
      } finally {
        answering = false;
      }
    }),
  );
  if (mine !== latest) return null;
  asking.value = null;
  return given.answer;
}

async function answerTo(question: Question, mine: number): Promise<Answer | null> {
  const [result, source] = [store.result.value, store.source.value];
  if (!result || !source) return null;
  const hear = (done: number, total: number) => {
    if (mine === latest) progress.value = { done, total };
  };
  try {
    const around = { lead: String(LEAD), steps: String(STEPS) };
    return await engine.why(source, result.scenario, kernel, { ...around, ...question }, hear);
  } catch (error) {
    if (!isPageError(error)) throw error;
    if (mine === latest) problem.value = error.diagnostics.map(w.problem).join(' ');
    return null;
  }
}

function take(answer: Answer | null) {
  if (!answer) return;
  report.value = answer;
  if (answer.matches !== null) matches.value = answer.matches;
  setPlace(answer.step, answer.core);
}

/** Lets go of the answers, which may be large. Whoever opens this part again asks again. */
export function close() {
  latest += 1;
  asking.value = null;
  report.value = null;
  checked.value = null;
}

/** Shows the link's step of a kernel, for a new result. A step that this run does not have gives way to the first. */
export async function open(number: number) {
  kernel = number;
  report.value = null;
  checked.value = null;
  filter.value = null;
  matches.value = null;
  const { step, core } = place.value;
  const answer = await ask(at(step, core));
  if (answer) report.value = answer;
  else if (problem.value !== '') take(await ask(at(1, 0)));
}

/** Shows a step of a core. */
export async function show(step: number, core = place.value.core) {
  const now = report.value;
  if (!now) return;
  const within = core === now.core ? Math.min(Math.max(1, step), now.core_steps) : Math.max(1, step);
  const steps: { step: number }[] = now.steps;
  if (core === now.core && steps.some((one) => one.step === within)) {
    problem.value = '';
    setPlace(within, core);
    return;
  }
  take(await ask({ ...filter.value, ...at(within, core) }));
}

/** Goes to the next or the previous access that fits the filter, or that misses. */
export async function walk(forward: boolean) {
  const { step, core } = place.value;
  const from = { [forward ? 'after' : 'before']: String(step), core: String(core) };
  take(await ask({ ...(filter.value ?? { misses: 'on' }), ...from }));
}

/** Shows the first access of any core that fits. */
export async function pick(fits: Question) {
  const answer = await ask({ ...fits, match: '1' });
  if (!answer) {
    matches.value = null;
    return;
  }
  filter.value = fits;
  take(answer);
}

export function clearFilter() {
  filter.value = null;
  matches.value = null;
}

/** Runs the kernel with what could have made the access on show hit. */
export async function check() {
  const { step, core } = place.value;
  // With the filter it is about the same line of the access.
  const answer = await ask({ ...filter.value, ...at(step, core), check: 'on' });
  if (answer) checked.value = { core, step, list: answer.what_if };
}

/** Gives up the question under way. One that still waits for the engine is not asked. */
export function cancel() {
  if (answering) return void engine.cancel();
  latest++;
  asking.value = null;
}
