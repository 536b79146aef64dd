// How far a result depends on its seed and on each parameter: pure questions about rows of sweeps.

import type { Parameter, SweepRow } from '../../../engine/types';

/** What the followed number becomes when a parameter is halved or doubled. Null: the parameter cannot have that value. */
export interface Effect {
  key: string;
  label: string;
  unit: string;
  /** How its value is known: official, measured or assumed. */
  status: string;
  /** Its value in the result. */
  own: string;
  half: number | null;
  double: number | null;
  /** The largest change, as a share of the result's own number. */
  change: number;
}

const NUMBER = /^\d+(\.\d+)?$/;

/** Parameters that can be halved and doubled. */
export function studied(list: Parameter[], set: Record<string, string>): Parameter[] {
  return list.filter(
    ({ key, kind, value }) =>
      (kind === 'integer' || kind === 'number') && NUMBER.test(set[key] ?? value) && Number(set[key] ?? value) > 0,
  );
}

/** The followed number of a row; null where the point did not run. */
const numberOf = (row: SweepRow | undefined, name: string) =>
  row && row.error === undefined ? (row.measures[name] ?? null) : null;

/** Least and most of the followed number; null without rows. */
export function rangeOf(rows: SweepRow[], name: string): [number, number] | null {
  const values = rows.map((row) => numberOf(row, name)).filter((value) => value !== null);
  return values.length === 0 ? null : [Math.min(...values), Math.max(...values)];
}

/** The effect of a parameter, from its two points: half, double. */
export function effectOf(parameter: Parameter, own: string, rows: SweepRow[], name: string, now: number): Effect {
  const [half, double] = [numberOf(rows[0], name), numberOf(rows[1], name)];
  const change = Math.max(0, ...[half, double].map((value) => (value === null ? 0 : Math.abs(value - now))));
  const { key, label, unit, status } = parameter;
  return { key, label, unit, status, own, half, double, change: now === 0 ? Math.sign(change) : change / now };
}

/** The least change that is told: a smaller one would read as 0.0 %. */
export const LEAST = 0.0005;

/** Effects that can be told, the largest first. */
export const ranked = (effects: Effect[]) =>
  effects.filter((effect) => effect.change >= LEAST).sort((a, b) => b.change - a.change);
