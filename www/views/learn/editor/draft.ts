// The text that a lecturer writes. Form and JSON text are two views of it: the text is what is kept, checked and saved. It lives in the
// storage of this browser tab, so that a reload brings it back.

import { signal } from '@preact/signals';
import { forgotten, recallHere, rememberHere } from '../../../app/memory';
import * as engine from '../../../engine/course/engine';
import type { ExerciseView } from '../../../engine/generated';
import { EngineLost, isPageError } from '../../../engine/lost';
import type { Diagnostic } from '../../../engine/types';
import { course } from '../course';
import { exerciseOf, isObject, withValue, type Json, type Path } from './paths';

export const NAME = 'exercise.json';

const KEY = 'exercise';
const FIRST = course[0]?.text ?? '';

export const text = signal(recallHere(KEY) ?? FIRST);
text.subscribe((now) => rememberHere(KEY, now === FIRST ? null : now));
/** The answers that the text had before another kind was chosen, by exercise and kind. */
const answers = new Map<string, Json>();
forgotten.subscribe((times) => {
  if (times === 0) return;
  text.value = FIRST;
  answers.clear();
});

export const problems = signal<Diagnostic[]>([]);
export const preview = signal<ExerciseView | null>(null);
/** The last text without a flaw. */
export const flawless = signal<string | null>(null);

/** Has the engine check a text and draw its numbers. */
export async function checkText(now: string, seed: number) {
  try {
    const view = await engine.open({ name: NAME, text: now, seed }, () => {});
    if (now !== text.value) return;
    preview.value = view;
    problems.value = [];
    flawless.value = view && now;
  } catch (error) {
    if (isPageError(error)) {
      if (now !== text.value) return;
      problems.value = error.diagnostics;
      flawless.value = null;
    } else if (!(error instanceof EngineLost && error.wanted)) throw error;
  }
}

/** Gives the exercise an answer of another kind: the one that it had, or a fresh one. */
export function changeKind(kind: string, fresh: Json) {
  const now = exerciseOf(text.value);
  if (!now) return;
  const { id, answer } = now;
  const nameOf = (of: Json | undefined) => JSON.stringify([id, of]);
  if (isObject(answer)) answers.set(nameOf(answer['kind']), answer);
  change(['answer'], answers.get(nameOf(kind)) ?? fresh);
}

/** Changes a value of the exercise, and writes the text anew. */
export function change(path: Path, value: Json | undefined) {
  const now = exerciseOf(text.value);
  if (now) text.value = `${JSON.stringify(withValue(now, path, value), null, 2)}\n`;
}
