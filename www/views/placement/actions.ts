// What the Placement tab can be made to do. Every action ends in changed signals, never in an exception.

import { batch } from '@preact/signals';
import { reportCrash } from '../../app/session';
import { sourceKey } from '../../app/source-key';
import * as store from '../../app/store';
import { setView } from '../../app/tabs';
import { Turns } from '../../app/turns';
import { p } from '../../content/placement';
import { isPageError, isWanted } from '../../engine/lost';
import type { PlaceAsk, Placement, Trained } from '../../engine/placement/types';
import { overlapName, promiseOf, same } from './settings';
import {
  activity,
  best,
  changes,
  chosen,
  diagnostics,
  engine,
  generation,
  gpu,
  input,
  looked,
  message,
  MOST_ROWS,
  moves,
  prepared,
  ranking,
  reproduced,
  settings,
  stopped,
  took,
  trained,
  wish,
  type Work,
} from './state';

const turns = new Turns(() => engine.cancel());

/** How often a long search shows what it has. */
const INTERIM_MS = 800;

/** What the leading worker holds. */
let held = '';
let heldGeneration = -1;
/** The fingerprint that this page wrote into its link; any other one is a promise. */
let own: string | null = null;
/** The last promise, and the search that it was made for. */
let promise = { result: '', wish: '' };
/** Raw text of a CSV or JSON is small; anything larger is a trace. */
const MOST_BYTES = 16 * 2 ** 20;

function enter(work: Work) {
  activity.value = { work, done: 0, total: 0, best: null, cancelling: false };
}

function progress(work: Work) {
  return (done: number, total: number, best: number | null = null) => {
    const now = activity.value;
    if (now?.work === work) activity.value = { ...now, done, total, best };
  };
}

/** Progress of work that follows other work by itself. */
function after(before: Work, work: Work) {
  return (done: number, total: number) => {
    if (activity.value?.work === before) enter(work);
    progress(work)(done, total);
  };
}

/** Does one thing at a time, with its progress shown; what it throws becomes something to read. */
function work(kind: Work, job: () => Promise<boolean>): Promise<void> {
  return turns.take(async () => {
    enter(kind);
    message.value = '';
    try {
      if (!(await job())) message.value ||= p.progress.cancelled;
    } catch (error) {
      if (isPageError(error)) diagnostics.value = error.diagnostics;
      else if (isWanted(error)) message.value = p.progress.cancelled;
      else reportCrash(error, run);
    } finally {
      activity.value = null;
    }
  });
}

/** A short action; what it throws becomes something to read. */
export async function guarded(action: () => Promise<void>) {
  try {
    await action();
  } catch (error) {
    if (isPageError(error)) diagnostics.value = error.diagnostics;
    else if (isWanted(error)) message.value = p.progress.cancelled;
    else reportCrash(error, run);
  }
}

export function cancel() {
  const now = activity.value;
  if (!now) return;
  activity.value = { ...now, cancelling: true };
  void engine.cancel();
}

function ask(): PlaceAsk {
  const { kernel, from, model, sample, rule, gamma, cycleArrivals, queue, without, ranges, confirmed } = settings.value;
  const printed = model === 'paper';
  return {
    gpu: gpu.value,
    kernel,
    from,
    model,
    paper: {
      time_us: printed ? sample.time_us : null,
      simulated: false,
      inst_executed: printed ? sample.inst_executed : null,
      inst_issued: printed ? sample.inst_issued : null,
      static_constants: printed ? (sample.static_constants ?? 0) : 0,
      overlap: printed ? (rule ?? '') : '',
      gamma: printed ? gamma : null,
      arrivals: printed && cycleArrivals ? 'cycle' : '',
    },
    queue: queue ?? '',
    without,
    ranges,
    confirmed,
    overlap: printed ? (trained.value?.json ?? null) : null,
    names: store.arrayNames.value,
  };
}

/** Reads the source unless the engine has it; false when cancelled. */
async function read(): Promise<boolean> {
  const source = store.source.value;
  if (!source) return false;
  if (held === sourceKey.value && heldGeneration === engine.generation) return true;
  enter('reading');
  held = '';
  const found = await engine.open(source, progress('reading'), after('reading', 'emulating'));
  if (!found) return false;
  [held, heldGeneration] = [sourceKey.value, engine.generation];
  input.value = found;
  return true;
}

/** What the link promises of the search that is wished for. A promise that was made for another search holds no longer. */
function promisedNow(): string | null {
  const { result } = settings.value;
  if (result === null || result === own) return null;
  if (promise.result !== result) promise = { result, wish: wish.value };
  return promise.wish === wish.value ? result : null;
}

/** Reads, prepares, searches and looks. */
export function run(): Promise<void> {
  return work('reading', async () => {
    if (!store.source.value) return true;
    diagnostics.value = [];
    const promised = promisedNow();
    if (promised === null) setView('placement.result', null);
    if (!(await read())) return false;
    if (input.value?.kernels.length === 0) {
      batch(() => ([prepared.value, ranking.value, looked.value, moves.value] = [null, null, null, []]));
      return true;
    }
    enter('preparing');
    const ready = await engine.prepare(ask(), after('preparing', 'sampling'));
    if (!ready) return false;
    const other =
      JSON.stringify(ready.arrays.map((a) => a.base)) !== JSON.stringify(prepared.value?.arrays.map((a) => a.base));
    batch(() => {
      prepared.value = ready;
      // What is on show stays until there is something to put in its place, unless it is of other arrays.
      if (other) [ranking.value, looked.value] = [null, null];
      moves.value = [];
      changes.value = null;
      generation.value = engine.generation;
      stopped.value = false;
      reproduced.value = null;
    });
    enter('searching');
    const live = setInterval(() => void showInterim(), INTERIM_MS);
    const { finished, ms, workers } = await engine
      .search(ready, progress('searching'), after('searching', 'judging'))
      .finally(() => clearInterval(live));
    if (generation.value !== engine.generation) {
      // The worker had to be ended; what it last told stays.
      stopped.value = true;
      if (ranking.value) message.value = p.progress.kept(ranking.value.evaluated);
      return false;
    }
    const found = await engine.ask((r) => r.ranking(MOST_ROWS, true));
    const fingerprint = finished ? await engine.ask((r) => r.fingerprint(promiseOf(found.lines))) : null;
    batch(() => {
      ranking.value = found;
      if (fingerprint !== null) {
        own = fingerprint;
        reproduced.value = promised === null ? null : promised === own;
        setView('placement.result', own);
      }
      took.value = { ms, workers };
      stopped.value = !finished;
      message.value = finished ? '' : p.progress.kept(found.evaluated);
    });
    if (found.lines.length > 0 || finished) await closer(chosen.value);
    if (finished) store.announce(p.progress.done(found.evaluated));
    const rows = finished ? await engine.moves(ready.arrays.length) : null;
    moves.value = rows ?? [];
    return finished;
  });
}

/** Runs other changes of the text; what ran before a cancel is kept, and the next call goes on from there. */
export function tryChanges(): Promise<void> {
  if (generation.value !== engine.generation) return run();
  return work('changing', async () => {
    let finished = false;
    try {
      finished = await engine.tryChanges(progress('changing'));
      return finished;
    } finally {
      const rows = generation.value === engine.generation ? await engine.ask((r) => r.changes()) : [];
      changes.value = { rows, finished };
      if (finished) store.announce(p.changes.done(rows.length));
    }
  });
}

/** The best so far, while a search goes on. */
async function showInterim() {
  try {
    const found = await engine.ask((r) => r.ranking(MOST_ROWS, false));
    const now = activity.value?.work;
    if ((now === 'searching' || now === 'judging') && found.lines.length > 0) ranking.value = found;
  } catch {
    // The search itself says what is wrong.
  }
}

async function closer(placement: Placement) {
  enter('looking');
  looked.value = await engine.ask((r) => r.look(placement));
}

/** Looks at a placement; null: at the best. */
export function lookAt(placement: Placement | null) {
  const first = best.value;
  setView('placement.look', placement === null || (first && same(placement, first)) ? null : placement.join(','));
}

/** The choice has changed. */
export function showChosen(): Promise<void> {
  const now = looked.value;
  if (!prepared.value || !ranking.value || (now && same(now.line.placement, chosen.value))) return Promise.resolve();
  // A worker that was ended takes what it held with it.
  if (generation.value !== engine.generation) return run();
  return work('looking', async () => {
    await closer(chosen.value);
    return true;
  });
}

/** Coefficients belong to the printed model, so taking some asks for it. */
function use(found: Trained | null) {
  batch(() => {
    trained.value = found;
    setView('placement.overlap', found && overlapName(found.json));
    if (found) setView('placement.model', 'paper');
  });
}

/** Trains equation 11 on the model of the whole GPU with the kernels that are loaded. */
export function trainOnMachine(): Promise<void> {
  return work('training', async () => {
    if (!(await read())) return false;
    enter('training');
    const found = await engine.train({ ...ask(), model: 'paper', overlap: null }, progress('training'));
    if (!found) return false;
    use(found);
    store.announce(p.sure.trainedNow(found.rows, found.kernels, found.error));
    return true;
  });
}

export const forgetTrained = () => use(null);

/** What a small text is to this tab: `other` are measured times with columns of other names. */
function kindOf(name: string, text: string): 'times' | 'overlap' | 'other' | null {
  if (/\.json$/i.test(name) && text.includes('"warpscope_overlap"')) return 'overlap';
  const head = headOf(text)
    .toLowerCase()
    .split(',')
    .map((column) => column.trim().replaceAll('"', ''));
  const timed = head.some((column) => column.startsWith('time'));
  if (timed && head.includes('placement')) return 'times';
  const measured = timed || head.some((column) => /_[mu]s$/.test(column));
  // A stream of addresses may have times too.
  return measured && head.includes('kernel') && !head.some((column) => column.startsWith('addr')) ? 'other' : null;
}

const headOf = (text: string) => text.split('\n', 1)[0]!.trim();
/** Characters of a line that a message quotes. */
const QUOTED = 60;

/** Takes coefficients or measured times; anything else is for everybody. */
export async function takeFiles(files: File[]): Promise<boolean> {
  const mine: { file: File; text: string; kind: 'times' | 'overlap' | 'other' }[] = [];
  for (const file of files) {
    if (file.size > MOST_BYTES || !/\.(csv|json|txt)$/i.test(file.name)) continue;
    const text = await file.text();
    const kind = kindOf(file.name, text);
    if (kind) mine.push({ file, text, kind });
  }
  const last = mine.at(-1);
  if (!last || mine.length < files.length) return false;
  if (last.kind === 'other') {
    const head = headOf(last.text);
    const found = head.length > QUOTED ? `${head.slice(0, QUOTED)}…` : head;
    diagnostics.value = [{ severity: 'error', file: last.file.name, line: 1, found, ...p.sure.columns }];
    return true;
  }
  await work('training', async () => {
    const { file, text, kind } = last;
    if (kind === 'overlap') {
      use(await engine.ask((r) => r.readOverlap(file.name, text)));
      message.value = p.sure.read;
      return true;
    }
    if (!(await read())) return false;
    enter('training');
    const found = await engine.ask((r) => r.retrain(file.name, text, { ...ask(), overlap: null }));
    use(found);
    store.announce(p.sure.trainedNow(found.rows, found.kernels, found.error));
    return true;
  });
  return true;
}
