// What the other changes of a text come to. Pure.

import type { PlaceChange, PlaceLine } from '../../engine/placement/types';

const time = (row: PlaceChange) => row.machine_microseconds ?? Infinity;

/** Those that ran, the fastest first. */
export const ranOf = (rows: PlaceChange[]) => rows.filter((row) => row.machine_microseconds !== null);

/** The fastest row with a change. */
export function fastest(rows: PlaceChange[]): PlaceChange | null {
  return ranOf(rows).find((row) => row.changes.length > 0) ?? null;
}

/** The fastest placement without other changes. */
export function recommendedOf(rows: PlaceChange[]): PlaceChange | null {
  const plain = ranOf(rows).filter((row) => row.changes.length === 0);
  return plain.reduce<PlaceChange | null>((least, row) => (least && time(least) <= time(row) ? least : row), null);
}

/** The memories of a row, in order of the arrays. */
export function placementOf(row: PlaceChange, names: string[]): Pick<PlaceLine, 'placement'> {
  return { placement: names.map((name) => row.placement[name] ?? 'global') };
}

export const sameChange = (a: PlaceChange, b: PlaceChange) =>
  JSON.stringify([a.changes, a.placement]) === JSON.stringify([b.changes, b.placement]);
