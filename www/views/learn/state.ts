// What the Learn tab knows. The link carries the exercise and its seed.

import { batch, computed, signal } from '@preact/signals';
import { embedded } from '../../app/framed';
import { reportCrash } from '../../app/session';
import { announce } from '../../app/store';
import { setView, viewValue } from '../../app/tabs';
import { inLanguage } from '../../content/exercise-text';
import { learn } from '../../content/learn';
import * as engine from '../../engine/course/engine';
import type { Opened } from '../../engine/course/protocol';
import type { ExerciseView, GivenAnswer, ExerciseVerdict as Verdict, Words } from '../../engine/generated';
import { EngineLost, isPageError } from '../../engine/lost';
import type { Diagnostic } from '../../engine/types';
import { course } from './course';
import { keep, recordOf, records } from './records';

const DEFAULT_SEED = 1;

export const exerciseId = computed(() => viewValue('learn.exercise'));
export const seed = computed(() => {
  const wanted = Number(viewValue('learn.seed') ?? DEFAULT_SEED);
  return Number.isSafeInteger(wanted) && wanted >= 0 ? wanted : DEFAULT_SEED;
});

/** The exercise that a person left or chose just now: the focus follows there. What a link or Back opens leaves it alone. */
let left: string | null = null;
let chosen: string | null = null;

export function showList() {
  left = exerciseId.value;
  setView('learn.exercise', null);
}

export function choose(id: string) {
  chosen = id;
  setView('learn.exercise', id);
}

/** Whether a person chose this exercise just now; asked once. */
export function justChosen(id: string): boolean {
  const now = chosen === id;
  chosen = null;
  return now;
}

/** The exercise that a person came back to the list from; asked once. */
export function justLeft(): string | null {
  const id = left;
  left = null;
  return id;
}

/** Files that the visitor brought or writes, by the identifier of their exercise. */
export const own = signal<Record<string, { name: string; text: string }>>({});
export const writing = signal(false);

/** What the chosen exercise is read from; null where there is none of this name. */
export const wanted = computed<Opened | null>(() => {
  const id = exerciseId.value;
  if (id === null) return null;
  // The link can name any text, also a key that every object has.
  const mine = Object.hasOwn(own.value, id) ? own.value[id] : undefined;
  if (mine) return { ...mine, seed: seed.value };
  const listed = course.find((exercise) => exercise.id === id);
  return listed ? { name: `${id}.json`, text: listed.text, seed: seed.value } : null;
});

/** The title of an exercise of the course; null for the visitor's own. */
export function titleOf(id: string): string | null {
  const listed = course.find((exercise) => exercise.id === id);
  return listed ? inLanguage(listed.title) : null;
}

export interface Shown {
  of: Opened;
  view: ExerciseView;
  verdict: Verdict | null;
  /** The answer that the verdict is about. */
  given: GivenAnswer | null;
  hints: number;
  solution: Words | null;
}

export const shown = signal<Shown | null>(null);
export const activity = signal<{ what: string; done: number; total: number } | null>(null);
export const problems = signal<Diagnostic[]>([]);
export const notice = signal('');

const progress = (done: number, total: number) => {
  if (activity.value) activity.value = { ...activity.value, done, total };
};

/** Runs an action of the tab; what it throws becomes something to read. */
export async function safely(action: () => Promise<void>) {
  try {
    await action();
  } catch (error) {
    if (isPageError(error)) problems.value = error.diagnostics;
    else if (error instanceof EngineLost) notice.value = error.wanted ? '' : learn.failed;
    else reportCrash(error);
  }
}

/** Counts the jobs. A job ends the one before it, which then has nothing more to say. */
let latest = 0;

/** Work with progress; what was stopped gives null. */
async function job<T>(what: string, run: () => Promise<T | null>): Promise<T | null> {
  let result: T | null = null;
  const mine = ++latest;
  await safely(async () => {
    batch(() => {
      activity.value = { what, done: 0, total: 0 };
      problems.value = [];
      notice.value = '';
    });
    try {
      result = await run();
      if (result === null && mine === latest) notice.value = learn.stopped;
    } catch (error) {
      if (mine === latest) throw error;
    } finally {
      if (mine === latest) activity.value = null;
    }
  });
  return result;
}

export const stop = () => void safely(() => engine.cancel());

/** Opens an exercise unless it is on show. */
export async function openExercise(of: Opened) {
  if (shown.value?.of.text === of.text && shown.value.of.seed === of.seed) return;
  shown.value = null;
  const view = await job(learn.opening, () => engine.open(of, progress));
  // Another one may have been chosen meanwhile.
  if (!view || wanted.value?.text !== of.text || wanted.value.seed !== of.seed) return;
  const hints = recordOf(records.value, view.id, of.seed)?.hints ?? 0;
  shown.value = { of, view, verdict: null, given: null, hints, solution: null };
}

const change = (part: Partial<Shown>) => {
  if (shown.value) shown.value = { ...shown.value, ...part };
};

export async function checkAnswer(now: Shown, given: GivenAnswer) {
  const verdict = await job(learn.checking, () => engine.check(now.of, given, progress));
  if (!verdict) return;
  const before = recordOf(records.value, now.view.id, now.of.seed);
  keep(now.view.id, now.of.seed, {
    given,
    digest: verdict.digest,
    right: verdict.right,
    tries: (before?.tries ?? 0) + 1,
    solved: verdict.right || (before?.solved ?? false),
  });
  change({ verdict, given });
  announce(verdict.right ? learn.right : learn.wrong);
}

export function showHint(now: Shown) {
  const hints = Math.min(now.view.hints.length, now.hints + 1);
  change({ hints });
  keep(now.view.id, now.of.seed, { hints });
}

export async function showSolution(now: Shown) {
  const solution = await job(learn.solving, () => engine.solve(now.of, progress));
  if (solution) change({ solution });
}

/** The exercise after this one; null after the last. */
export const nextOf = (id: string) => course[course.findIndex((exercise) => exercise.id === id) + 1] ?? null;

/** The link of the starting state, which leads back to the exercise. In a frame it leads to the whole page. */
export function startLink({ view, of }: Shown): string | null {
  if (view.start === null) return null;
  const back = new URLSearchParams({ 'view.learn.exercise': view.id, 'view.learn.seed': String(of.seed) });
  const link = `#${view.start}&${back.toString()}`;
  return embedded() ? `${location.pathname}${link}` : link;
}

/** The short link of an exercise. */
export const linkOfExercise = (id: string, of: number) => `v=1&exercise=${encodeURIComponent(id)}&seed=${of}`;

/** Files that were dropped while the tab is open: exercises stay here, others go on. */
export async function takeFiles(files: File[]): Promise<boolean> {
  const texts = await Promise.all(files.map(async (file) => ({ name: file.name, text: await readSome(file) })));
  const mine = texts.filter(({ text }) => text.includes('warpscope_exercise'));
  for (const file of mine) addOwn(file);
  return mine.length > 0;
}

/** The engine refuses a file above this size, so no more of it is read. */
const MOST_BYTES = 300_000;
const readSome = (file: File) => (/\.json$/i.test(file.name) ? file.slice(0, MOST_BYTES).text() : Promise.resolve(''));

/** Takes an exercise file and opens it. The engine says what is wrong with it. */
export function addOwn(file: { name: string; text: string }) {
  const id = identifier(file.text) ?? file.name;
  own.value = { ...own.value, [id]: file };
  writing.value = false;
  choose(id);
}

function identifier(text: string): string | null {
  try {
    const { id } = JSON.parse(text) as { id?: unknown };
    return typeof id === 'string' && id !== '' ? id : null;
  } catch {
    return null;
  }
}
