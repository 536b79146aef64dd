// What the Placement tab knows, as signals. Only the actions write here; views read.

import { computed, signal } from '@preact/signals';
import { sourceKey } from '../../app/source-key';
import * as store from '../../app/store';
import { PlaceEngine } from '../../engine/placement/engine';
import type {
  PlaceChange,
  Placement,
  PlaceInput,
  PlaceLook,
  PlacePrepared,
  PlaceRanking,
  Trained,
} from '../../engine/placement/types';
import type { Diagnostic } from '../../engine/types';
import { adviceOf } from './advice';
import { overlapName, readSettings } from './settings';

export type Work =
  'reading' | 'emulating' | 'preparing' | 'sampling' | 'searching' | 'judging' | 'looking' | 'training' | 'changing';

export const engine = new PlaceEngine();

export const settings = computed(() => readSettings(store.scenario.value.view));
export const activity = signal<{
  work: Work;
  done: number;
  total: number;
  best: number | null;
  cancelling: boolean;
} | null>(null);
export const input = signal<PlaceInput | null>(null);
export const prepared = signal<PlacePrepared | null>(null);
export const ranking = signal<PlaceRanking | null>(null);
/** How long the last search took, and by how many workers. */
export const took = signal<{ ms: number; workers: number } | null>(null);
/** The search was stopped before its end. */
export const stopped = signal(false);
export const looked = signal<PlaceLook | null>(null);
/** Times when one array alone moves: by array, by memory. */
export const moves = signal<(number | null)[][]>([]);
/** Other changes of the text; null: they were not tried for this search. */
export const changes = signal<{ rows: PlaceChange[]; finished: boolean } | null>(null);
/** Whether the ranking is the link's; null when no link promised one. */
export const reproduced = signal<boolean | null>(null);
/** Which engine holds what is on show: charts and files come from there. */
export const generation = signal(-1);
export const diagnostics = signal<Diagnostic[]>([]);
/** A sentence about what became of the last wish. */
export const message = signal('');
/** Coefficients that were read or trained here. */
export const trained = signal<Trained | null>(null);

/** Rows of the ranking that the page holds. */
export const MOST_ROWS = 500;

export const gpu = computed(() => settings.value.gpu ?? store.scenario.value.gpu);
/** The link was made with coefficients that this page does not have. */
export const wantedOverlap = computed(() => {
  const name = settings.value.overlap;
  return name !== null && (!trained.value || overlapName(trained.value.json) !== name) ? name : null;
});

/** Everything that a search depends on; whoever watches this searches again when it changes. */
export const wish = computed(() => {
  const { kernel, from, model, sample, rule, gamma, cycleArrivals, queue, without, ranges, confirmed } = settings.value;
  const printed = model === 'paper' ? [sample, rule, gamma, cycleArrivals, trained.value?.json ?? null] : [];
  const names = store.arrayNames.value;
  return JSON.stringify([
    sourceKey.value,
    gpu.value,
    kernel,
    from,
    model,
    queue,
    without,
    ranges,
    confirmed,
    names,
    printed,
  ]);
});

/** Where the trace has its arrays. */
export const present = computed<Placement>(() => prepared.value?.sample.placement ?? []);
export const advice = computed(() =>
  ranking.value && prepared.value ? adviceOf(ranking.value, prepared.value.sample) : null,
);
/** The placement that the verdict names. */
export const best = computed<Placement | null>(() => advice.value?.best.placement ?? null);
/** The ranking is no answer yet: a search goes on, or was stopped. */
export const provisional = computed(
  () => stopped.value || activity.value?.work === 'searching' || activity.value?.work === 'judging',
);
/** The other changes are asked for, and what they build on is there. */
export const changesWanted = computed(
  () =>
    settings.value.changes &&
    prepared.value?.changeable === true &&
    ranking.value !== null &&
    !stopped.value &&
    activity.value === null &&
    changes.value === null,
);
/** The placement that is looked at. */
export const chosen = computed<Placement>(() => {
  const { look } = settings.value;
  const arrays = present.value.length;
  return look && look.length === arrays ? look : (best.value ?? present.value);
});
