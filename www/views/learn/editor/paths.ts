// Values of the exercise by their paths, and the places that messages name. The text is JSON, so any key may stand in it.

import type { Diagnostic } from '../../../engine/types';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = Record<string, Json>;
/** Keys from the file down to a value. */
export type Path = readonly (string | number)[];

/** The exercise in a text; null where the text is no JSON object. */
export function exerciseOf(now: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(now);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A path as the engine's messages write it: `answer.options[2].right`. */
export const pathText = (path: Path) =>
  path.map((key, i) => (typeof key === 'number' ? `[${key}]` : i === 0 ? key : `.${key}`)).join('');

/** What is at a path; undefined where nothing is. */
export function valueAt(from: Json | undefined, path: Path): Json | undefined {
  let now = from;
  for (const key of path) {
    if (Array.isArray(now) && typeof key === 'number') now = now[key];
    else if (isObject(now) && typeof key === 'string' && Object.hasOwn(now, key)) now = now[key];
    else return undefined;
  }
  return now;
}

/** A copy with another value at a path. `undefined` removes it. Objects on the way are made where they are missing. */
export function withValue(from: Json | undefined, path: Path, value: Json | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value ?? null;
  if (typeof key === 'number') {
    const list = Array.isArray(from) ? from.slice() : [];
    if (rest.length === 0 && value === undefined) list.splice(key, 1);
    else list[key] = withValue(list[key], rest, value);
    return list;
  }
  const entries = Object.entries(isObject(from) ? from : {});
  if (rest.length === 0 && value === undefined) return Object.fromEntries(entries.filter(([name]) => name !== key));
  const at = entries.findIndex(([name]) => name === key);
  const next: [string, Json] = [key, withValue(at < 0 ? undefined : entries[at]![1], rest, value)];
  return Object.fromEntries(at < 0 ? [...entries, next] : entries.map((entry, i) => (i === at ? next : entry)));
}

/** The place that a message names, between backticks at the beginning; null where it is about the file or a line. */
export const placeOf = ({ expected }: Diagnostic) => /^`([^`]+)`: /.exec(expected)?.[1] ?? null;

/** Whether a message about `place` belongs to the field at `path` or to a part of it. */
export const belongs = (place: string | null, path: string) =>
  place !== null && (place === path || place.startsWith(`${path}.`) || place.startsWith(`${path}[`));
