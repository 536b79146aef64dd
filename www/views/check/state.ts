// The rows of the self-check, what came of them, and their run.

import { computed, signal } from '@preact/signals';
import { reportCrash, tell } from '../../app/session';
import * as store from '../../app/store';
import { setView, viewValue } from '../../app/tabs';
import { p } from '../../content/papers';
import { PapersEngine } from '../../engine/papers/engine';
import type { PaperOutline, PaperReport, PaperResult } from '../../engine/types';

export const FILTERS = ['all', 'red', 'differs'] as const;
export type Filter = (typeof FILTERS)[number];

export const rows = signal<PaperOutline[]>([]);
export const results = signal<ReadonlyMap<string, PaperResult>>(new Map());
/** The rows that run, and how far each is. */
export const running = signal<ReadonlyMap<string, number>>(new Map());
/** What a run is of; null while nothing runs. */
export const run = signal<{ all: number; done: number } | null>(null);
export const cancelling = signal(false);
export const report = signal<PaperReport | null>(null);
/** How the last run ended. */
export const outcome = signal('');

/** Which rows are shown. It is part of the link. */
export const filter = computed<Filter>(() => FILTERS.find((name) => name === viewValue('check.show')) ?? 'all');
export const setFilter = (name: Filter) => setView('check.show', name === 'all' ? null : name);

const engine = new PapersEngine();
engine.onCrash = (error) => reportCrash(error, start);

export async function load() {
  if (rows.value.length > 0) return;
  try {
    rows.value = await engine.list();
  } catch (error) {
    tell(error);
  }
}

const without = <Value>(map: ReadonlyMap<string, Value>, id: string) => {
  const next = new Map(map);
  next.delete(id);
  return next;
};

/** Results in the order of the list. */
const inOrder = () => rows.value.flatMap((row) => results.value.get(row.id) ?? []);

/** Runs rows. What was found stays when the run is cancelled. */
async function runRows(ids: string[]) {
  if (run.value || ids.length === 0) return;
  const began = performance.now();
  cancelling.value = false;
  outcome.value = '';
  run.value = { all: ids.length, done: 0 };
  const ears = {
    begun: (id: string) => (running.value = new Map(running.value).set(id, 0)),
    share: (id: string, share: number) => {
      if (running.value.has(id)) running.value = new Map(running.value).set(id, share);
    },
    done: (result: PaperResult) => {
      running.value = without(running.value, result.id);
      results.value = new Map(results.value).set(result.id, result);
      if (run.value) run.value = { ...run.value, done: run.value.done + 1 };
    },
  };
  try {
    const whole = await engine.run(ids, ears);
    report.value = await engine.report(inOrder());
    const done = run.value.done;
    outcome.value = whole ? p.done(done, performance.now() - began) : p.cancelled(done, ids.length);
    store.announce(outcome.value);
  } catch (error) {
    tell(error);
  } finally {
    running.value = new Map();
    run.value = null;
  }
}

export const start = () => runRows(rows.value.map((row) => row.id));
export const startOne = (id: string) => runRows([id]);

export function cancel() {
  cancelling.value = true;
  engine.cancel();
}

/** The rows that ran, as the terminal prints them. */
export const json = () => engine.json(inOrder());
export const csv = () => engine.csv(inOrder());
