// Answers as they were typed last, checked or not, by exercise and seed. They live in the storage of this browser tab, so that two tabs keep
// their own, and are gone with the tab.

import { forgotten, recallHere, rememberHere } from '../../app/memory';
import type { GivenAnswer } from '../../engine/generated';
import { isGiven } from './records';

const KEY = 'answers';
/** The oldest go first. */
const MOST = 30;

type Draft = [of: string, given: GivenAnswer];

function stored(): Draft[] {
  try {
    const list: unknown = JSON.parse(recallHere(KEY) ?? '[]');
    return Array.isArray(list) ? list.filter(isDraft) : [];
  } catch {
    return [];
  }
}

/** Anything may be in the storage: what is no answer is left out. */
const isDraft = (value: unknown): value is Draft =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && isGiven(value[1]);

let drafts = stored();

forgotten.subscribe((times) => {
  if (times > 0) drafts = [];
});

const nameOf = (exercise: string, seed: number) => `${exercise} ${seed}`;

export const draftOf = (exercise: string, seed: number): GivenAnswer | null =>
  drafts.find(([of]) => of === nameOf(exercise, seed))?.[1] ?? null;

export function keepDraft(exercise: string, seed: number, given: GivenAnswer) {
  const name = nameOf(exercise, seed);
  drafts = [...drafts.filter(([of]) => of !== name), [name, given] satisfies Draft].slice(-MOST);
  rememberHere(KEY, JSON.stringify(drafts));
}

export function forgetDrafts() {
  drafts = [];
  rememberHere(KEY, null);
}
