// What the Reuse tab knows, as signals. Only the actions write here; views read.

import { computed, signal } from '@preact/signals';
import { sourceKey } from '../../app/source-key';
import * as store from '../../app/store';
import { ReuseEngine, type Parallel } from '../../engine/reuse/engine';
import type { Analysed, ReuseResult, GpuOutcome, InputInfo, Prepared, Series } from '../../engine/reuse/protocol';
import type { Diagnostic } from '../../engine/types';
import { readSettings, type FileRef, type Settings } from './settings';

export type Work = 'reading' | 'emulating' | 'preparing' | 'running' | 'comparing' | 'sweeping' | 'sampling';

export interface Shown {
  input: InputInfo;
  prepared: Prepared;
  analysed: Analysed;
  settings: Settings;
  generation: number;
  /** Whether the fingerprint is the link's; null when no link promised one. */
  reproduced: boolean | null;
}

export interface Comparison {
  exact: Series;
  sequentialMs: number;
  parallel: Parallel;
  /** Merged partitions have the histogram of the first analysis. */
  equal: boolean | null;
  plain: Analysed;
  adjusted: Analysed;
  gpu: GpuOutcome;
}

export interface SweepRow {
  st: number;
  plain: ReuseResult;
  adjusted: ReuseResult;
  ms: number;
  adjustedMs: number;
}

export const engine = new ReuseEngine();

export const settings = computed(() => readSettings(store.scenario.value.view, navigator.hardwareConcurrency || 2));
export const activity = signal<{ work: Work; done: number; total: number; cancelling: boolean } | null>(null);
export const input = signal<InputInfo | null>(null);
export const prepared = signal<Prepared | null>(null);
export const shown = signal<Shown | null>(null);
export const comparison = signal<Comparison | null>(null);
export const sweep = signal<SweepRow[]>([]);
export const sampled = signal<Analysed | null>(null);
export const diagnostics = signal<Diagnostic[]>([]);
/** A sentence about what became of the last wish. */
export const message = signal('');
/** Bytes that were too many to start unasked, and for what. */
export const tooBig = signal<{ bytes: number; work: 'running' | 'comparing'; go: () => void } | null>(null);
/** Files that a link asks for. */
export const wanted = signal<FileRef[]>([]);

/** wasm32 has 4 GiB in all; the rest is the engine's own. */
export const MEMORY_LIMIT = 3 * 2 ** 30;

/** Everything that a run depends on; whoever watches this runs again when it changes. */
export const wish = computed(() => {
  const { input, generated, files, format, line, order, engine: name, rate, keep } = settings.value;
  const { gpu, seed, set, kernels } = store.scenario.value;
  const from = input === 'trace' ? sourceKey.value : input === 'files' ? [files, format] : generated;
  const model = input === 'trace' && order === 'model' ? [gpu, seed, set] : null;
  return JSON.stringify([
    input,
    from,
    line,
    order,
    keep,
    name,
    name === 'sample' ? rate : 0,
    model,
    input === 'trace' ? kernels : [],
  ]);
});

/** Bytes at the peak of an analysis. */
export function needed(name: Settings['engine'], ready: Prepared): number {
  if (name === 'sample') return ready.held_bytes + 2 * 2 ** 20;
  return name === 'offline' || (name === 'auto' && ready.engine === 'offline') ? ready.offline_bytes : ready.rank_bytes;
}

/** Bytes of a comparison: the lines twice more, in the pool, and HP-RDA's tables. */
export function neededToCompare(ready: Prepared): number {
  return ready.hp_rda_bytes + 2 * ready.accesses * (ready.narrow ? 4 : 8) + ready.rank_bytes;
}
