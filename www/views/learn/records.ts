// What a visitor did, kept in this browser: per exercise and seed the last answer, whether it was right, tries and hints.

import { signal } from '@preact/signals';
import { forgotten, recall, remember } from '../../app/memory';
import type { GivenAnswer, HandIn } from '../../engine/generated';

export interface Attempt {
  exercise: string;
  seed: number;
  /** The last answer that was checked, and the digest of its verdict. */
  given: GivenAnswer | null;
  digest: string;
  right: boolean;
  tries: number;
  hints: number;
  /** It was right once, whatever came after. */
  solved: boolean;
}

const KEY = 'learn';
/** The oldest go first. A kernel can be long, and storage holds a few megabytes. */
const MOST = 200;

/** Anything may be in the storage: what is no record is left out. */
export function readRecords(text: string | null): Attempt[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.filter(isRecord) : [];
  } catch {
    return [];
  }
}

function isRecord(value: unknown): value is Attempt {
  const r = value as Partial<Attempt> | null;
  return (
    typeof r?.exercise === 'string' &&
    Number.isSafeInteger(r.seed) &&
    typeof r.digest === 'string' &&
    typeof r.right === 'boolean' &&
    typeof r.solved === 'boolean' &&
    Number.isSafeInteger(r.tries) &&
    Number.isSafeInteger(r.hints) &&
    (r.given === null || isGiven(r.given))
  );
}

const isText = (value: unknown) => typeof value === 'string';
const isList = (of: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(of);
const SHAPES: Record<string, (value: unknown) => boolean> = {
  text: isText,
  kernel: isText,
  row: isList(isText),
  choice: isList(Number.isSafeInteger),
  order: isList(Number.isSafeInteger),
};

/** Whether a value has the shape of an answer. */
export function isGiven(value: unknown): value is GivenAnswer {
  if (typeof value !== 'object' || value === null) return false;
  const [entry, ...more] = Object.entries(value);
  return entry !== undefined && more.length === 0 && Object.hasOwn(SHAPES, entry[0]) && SHAPES[entry[0]]!(entry[1]);
}

export const records = signal<Attempt[]>(readRecords(recall(KEY)));

forgotten.subscribe((times) => {
  if (times > 0) records.value = [];
});

export const recordOf = (list: Attempt[], exercise: string, seed: number) =>
  list.find((record) => record.exercise === exercise && record.seed === seed);

/** The list with one record changed; it becomes the newest. */
export function withRecord(list: Attempt[], exercise: string, seed: number, change: Partial<Attempt>): Attempt[] {
  const before = recordOf(list, exercise, seed);
  const fresh = { exercise, seed, given: null, digest: '', right: false, tries: 0, hints: 0, solved: false };
  const rest = list.filter((record) => record !== before);
  return [...rest, { ...fresh, ...before, ...change }].slice(-MOST);
}

export function keep(exercise: string, seed: number, change: Partial<Attempt>) {
  records.value = withRecord(records.value, exercise, seed, change);
  remember(KEY, JSON.stringify(records.value));
}

export function forgetRecords() {
  records.value = [];
  remember(KEY, '[]');
}

/** The file to hand in, with a fingerprint for each answer that was checked. */
export async function handInOf(
  list: Attempt[],
  name: string,
  fingerprint: (name: string, digest: string) => Promise<string>,
): Promise<HandIn> {
  const answers = [];
  for (const { exercise, seed, given, digest, right, tries, hints } of list) {
    if (given === null) continue;
    answers.push({ exercise, seed, given, right, fingerprint: await fingerprint(name, digest), tries, hints });
  }
  return { warpscope_answers: 1, name, answers };
}
