// Pure questions of the views about topologies and measurements.

import type { Curve, Experiment, Measurement } from '../../engine/topology/types';
import type { Diagnostic } from '../../engine/types';

export type Json = Record<string, unknown>;

/** A copy of `json` with one place set; `undefined` takes it out, and a cache with nothing left goes too. */
export function withPlace(json: Json, path: string, fact: unknown): Json {
  const [head, key] = path.split('.');
  if (key === undefined) return without(json, head!, fact);
  const cache = without((json[head!] as Json | undefined) ?? {}, key, fact);
  return without(json, head!, Object.keys(cache).length > 0 || head === 'l1' ? cache : undefined);
}

function without(json: Json, key: string, value: unknown): Json {
  const { [key]: _, ...rest } = json;
  return value === undefined ? rest : { ...json, [key]: value };
}

/** Messages whose text names this place. */
export function messagesOf(list: Diagnostic[], path: string): Diagnostic[] {
  return list.filter((d) => d.expected.startsWith(`\`${path}\``) || d.expected.startsWith(`\`${path}.source\``));
}

export interface Row {
  memory: string;
  kind: string;
  unit: string;
  file: string;
  reported: Measurement | null;
  thesis: Measurement | null;
  mt4g: Measurement | null;
  ours: Measurement | null;
}

/** One row per memory and kind, and per curve, the rules beside each other. */
export function byRule(measurements: Measurement[]): Row[] {
  const rows = new Map<string, Row>();
  for (const m of measurements) {
    // A curve's levels belong to its file; the files of one GPU are put together.
    const file = m.memory.startsWith('level_') ? m.file : '';
    const key = `${file} ${m.memory} ${m.kind}`;
    const row = rows.get(key) ?? {
      memory: m.memory,
      kind: m.kind,
      unit: m.unit,
      file: file.replace(/^.*\//, ''),
      reported: null,
      thesis: null,
      mt4g: null,
      ours: null,
    };
    rows.set(key, row);
    if (m.rule === 'reported') row.reported = m;
    else if (m.rule === 'mt4g') row.mt4g = m;
    else if (m.rule === 'thesis') row.thesis = m;
    else row.ours = m;
  }
  return [...rows.values()];
}

/** More arrays would take too long for a button. */
const MOST_ARRAYS = 128;
/** Arrays beside the interval, so that the change has values on both sides. */
const BESIDE = 8;

/** The sweep that looks closer at the interval of a coarse one; null where none would be finer. */
export function finer(curve: Pick<Curve, 'memory' | 'sizes' | 'change' | 'interval'>) {
  const { memory, sizes, change, interval } = curve;
  if (change === null || !interval) return null;
  const [low, high] = interval;
  let step = 64;
  while ((high - low) / step > MOST_ARRAYS) step *= 2;
  const next = sizes[sizes.indexOf(change) + 1];
  if (next === undefined || next - change <= step) return null;
  const from = Math.max(128, low - BESIDE * step);
  return { kind: 'sizes', memory, from, to: high + BESIDE * step, step } satisfies Experiment;
}
