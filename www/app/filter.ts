// One array, line of code, set, core or bar that a person picked: everything else shows the counts of its requests.

import { computed, effect, signal } from '@preact/signals';
import type { GpuKernelReport, KernelReport } from '../engine/types';
import { isPageError } from '../engine/lost';
import { filterOf, type Only, type Part, partOfMark, readOnly } from './only';
import { engine, safely, stop, turns } from './session';
import * as store from './store';
import { setView } from './tabs';

const KEY = 'only';

const text = computed(() => store.scenario.value.view[KEY]);

/** What is picked. The model `gpu` has no sets and no distances. */
export const only = computed(() => {
  const model = store.result.value?.report.model;
  const picked = model ? readOnly(text.value) : null;
  return picked && model === 'gpu' && ['set', 'distance'].includes(picked.part) ? null : picked;
});

/** Picks a part, or lets go of the one that is picked. */
export function pick(part: Part, value: string) {
  const next = `${part}:${value}`;
  setView(KEY, text.value === next ? null : next);
}

/** Picks what a mark of a chart stands for. */
export function pickMark(name: string) {
  const named = partOfMark(name);
  if (named) pick(named.part, named.value);
}

export const showAll = () => setView(KEY, null);

interface Counted {
  result: store.Result;
  only: Only;
  kernel: KernelReport | GpuKernelReport;
}

/** The counts of a picked part, of one kernel of a result. */
export const counted = signal<Counted | null>(null);

/** The counts of what is picked, of a kernel of the result on show; null while they are not there. */
export function countsOf<Kernel extends KernelReport | GpuKernelReport>(plain: Kernel): Kernel | null {
  const now = counted.value;
  const current = now?.only === only.value && now?.result === store.result.value;
  // The counts are those of the same run, so they have the same shape.
  return now && current && now.kernel.number === plain.number ? (now.kernel as Kernel) : null;
}

let counting = false;

/** A person cancelled the count, rather than a job that came after it. */
function cancelled() {
  const now = store.activity.value;
  return now.kind !== 'idle' && now.cancelling;
}

async function count() {
  const [result, picked, source] = [store.result.value, only.value, store.source.value];
  const number = result?.report.kernels[store.kernel.value ?? 0]?.number;
  const filter = picked && filterOf(picked);
  if (!result || !filter || !source || number === undefined) return;
  counting = true;
  store.activity.value = { kind: 'running', done: 0, total: 0, cancelling: false };
  try {
    // Where caches stay warm, a kernel finds what those before it left.
    const { warm, state } = result.scenario;
    const kernels = warm || state === 'warm' ? result.scenario.kernels : [number];
    const progress = (done: number, total: number) => {
      const now = store.activity.value;
      if (now.kind !== 'idle') store.activity.value = { ...now, kind: 'running', done, total };
    };
    const report = await engine.count(source, { ...result.scenario, kernels }, filter, progress);
    const kernel = report?.kernels.find((k) => k.number === number);
    if (kernel) counted.value = { result, only: picked, kernel };
    else if (only.value === picked && cancelled()) showAll();
  } catch (error) {
    // Without counts the mark of what is picked would stay at "counting".
    if (isPageError(error) && only.value === picked) showAll();
    throw error;
  } finally {
    counting = false;
    store.activity.value = { kind: 'idle' };
  }
}

/** Counts anew when another part, kernel or result is on show. Gives the way to end it. */
export function startFilter(): () => void {
  return effect(() => {
    const [result, picked, kernel] = [store.result.value, only.value, store.kernel.value];
    if (!picked || !result || kernel === null) return void (counted.value = null);
    if (counting) void stop();
    void safely(() => turns.takeWhenIdle(count));
  });
}
