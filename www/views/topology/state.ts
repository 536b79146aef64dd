// What the Topology tab knows. The link carries the mode, the GPUs on show, and what draws a hidden GPU.

import { batch, computed, signal } from '@preact/signals';
import { setView, viewValue } from '../../app/tabs';
import { reportCrash } from '../../app/session';
import { announce, firstGpu, scenario } from '../../app/store';
import { t } from '../../content/topology';
import * as engine from '../../engine/topology/engine';
import { EngineLost, isPageError } from '../../engine/lost';
import type { Curve, Hidden, Measured, Reduction, TopologyView } from '../../engine/topology/types';
import type { Diagnostic } from '../../engine/types';
import { parseNumber, parsePercent } from './numbers';

export type Mode = 'look' | 'discover' | 'machine';
export const MODES: Mode[] = ['look', 'discover', 'machine'];
const MAX_SEED = 2 ** 32 - 1;
/** A mystery GPU whose plain global loads use an L1, so that a newcomer has something to find. */
const DEFAULT_SEED = 4;

export const mode = computed<Mode>(() => MODES.find((m) => m === viewValue('topology.mode')) ?? 'look');
export const setMode = (next: Mode) => setView('topology.mode', next === 'look' ? null : next);

/** Topologies that are no presets. */
export type HeldId = 'file' | 'edited' | 'cpu' | 'gpu';
export const HELD: HeldId[] = ['file', 'edited', 'cpu', 'gpu'];
export const held = signal<Partial<Record<HeldId, TopologyView>>>({});
const presetViews = signal<Record<string, TopologyView>>({});

/** The GPU of the Cache tab, unless another is chosen here. */
const sharedId = computed(() => {
  const { gpu } = scenario.value;
  return isHeld(gpu) && !held.value[gpu] ? (firstGpu?.id ?? '') : gpu;
});
export const firstId = computed(() => viewValue('topology.gpu') ?? sharedId.value);
export const secondId = computed(() => viewValue('topology.second'));
export const chooseFirst = (id: string) => setView('topology.gpu', id === sharedId.value ? null : id);
export const chooseSecond = (id: string) => setView('topology.second', id === '' ? null : id);

const isHeld = (id: string): id is HeldId => HELD.some((known) => known === id);

export function viewOf(id: string | null): TopologyView | null {
  if (id === null) return null;
  return isHeld(id) ? (held.value[id] ?? null) : (presetViews.value[id] ?? null);
}

/** A held topology that this page does not have. */
export const missing = computed(() => isHeld(firstId.value) && !held.value[firstId.value]);

/** Fetches a preset unless it is here. Those that nothing shows are let go: a person may look at all of them. */
export async function need(id: string | null) {
  if (id === null || isHeld(id) || presetViews.value[id]) return;
  await safely(async () => {
    const view = await engine.ask((r) => r.preset(id));
    const shown = [firstId.value, secondId.value, editBase.value];
    const kept = Object.entries(presetViews.value).filter(([known]) => shown.includes(known));
    presetViews.value = { ...Object.fromEntries(kept), [id]: view };
  });
}

export function hold(id: HeldId, view: TopologyView) {
  held.value = { ...held.value, [id]: view };
}

export function letGo(id: HeldId) {
  const { [id]: _, ...rest } = held.value;
  held.value = rest;
}

/** The GPU that editing began with: the form stays as it is while its result becomes the GPU on show. */
export const editBase = signal<string | null>(null);

export function holdEdited(view: TopologyView) {
  batch(() => {
    if (firstId.value !== 'edited') editBase.value = firstId.value;
    hold('edited', view);
    chooseFirst('edited');
  });
}

/** What is under way, with the engine's own count. */
export const activity = signal<{ what: string; done: number; total: number } | null>(null);
export const problems = signal<Diagnostic[]>([]);
/** A sentence for everybody. */
export const notice = signal('');

export const progress = (done: number, total: number) => {
  if (activity.value) activity.value = { ...activity.value, done, total };
};

/** Runs an action of the tab; what it throws becomes something to read. */
export async function safely(action: () => Promise<void>) {
  try {
    await action();
  } catch (error) {
    if (isPageError(error)) tell(error.diagnostics);
    else if (error instanceof EngineLost) notice.value = error.wanted ? '' : t.failed;
    else reportCrash(error);
  }
}

function tell(list: Diagnostic[]) {
  problems.value = list;
  if (list[0]) announce(`${list[0].file}: ${list[0].expected}`);
}

/** A job with progress; `null` from it means that it was stopped. */
export async function job<T>(what: string, run: () => Promise<T | null>): Promise<T | null> {
  let result: T | null = null;
  await safely(async () => {
    batch(() => {
      activity.value = { what, done: 0, total: 0 };
      problems.value = [];
      notice.value = '';
    });
    try {
      result = await run();
      if (result === null) notice.value = t.stopped;
    } finally {
      activity.value = null;
    }
  });
  return result;
}

export const stop = () =>
  void safely(async () => {
    engine.stopMeasuring();
    await engine.cancel();
  });

// Dropped files

export const measured = signal<Measured | null>(null);
export const curves = signal<Curve[]>([]);
export const reduction = signal<Reduction>('cut');
export const alpha = signal(0.01);

/** Largest file that is looked into here: raw timings and archives of them are far smaller. */
const MOST_BYTES = 256 * 2 ** 20;

/** Takes files that were dropped while the tab is open; false when there is nothing for it among them. */
export async function takeFiles(files: File[]): Promise<boolean> {
  const small = files.filter((file) => file.size <= MOST_BYTES);
  if (small.length === 0) return false;
  // Files without any topology in them are another tab's; what is wrong with one is said here.
  const foreign = (error: unknown) => isPageError(error) && error.diagnostics.some((d) => d.file === 'files');
  const read = async () => {
    try {
      const found = await engine.openFiles(small, progress);
      return found && { found };
    } catch (error) {
      if (foreign(error)) return { found: null };
      throw error;
    }
  };
  const outcome = await job(t.working, read);
  if (outcome && !outcome.found) return false;
  if (outcome?.found) await show(outcome.found);
  return true;
}

async function show(found: Measured) {
  batch(() => {
    measured.value = found;
    problems.value = found.diagnostics.filter((d) => d.severity !== 'note');
    if (found.topology) {
      hold('file', found.topology);
      chooseFirst('file');
    }
    setMode('look');
  });
  await recurve();
}

/** The curves by the chosen reduction at the chosen level. */
export const recurve = () =>
  safely(async () => {
    curves.value = await engine.ask((r) => r.curves(reduction.value, alpha.value));
  });

// The hidden GPU

export const hidden = computed<Hidden>(() => ({
  seed: Math.min(MAX_SEED, Math.max(0, Math.floor(parseNumber(viewValue('topology.seed') ?? '') ?? DEFAULT_SEED))),
  gpu: viewValue('topology.hidden'),
  noise: parsePercent(viewValue('topology.noise')),
  outliers: parsePercent(viewValue('topology.outliers')),
}));

/** Known values, so that an effect can tell whether another GPU is meant. */
export const hiddenKey = computed(() => JSON.stringify(hidden.value));
