// What the Reuse tab can be made to do. Every action ends in changed signals, never in an exception.

import { batch } from '@preact/signals';
import { keepFiles, keptFiles } from '../../app/kept/kept';
import { reportCrash } from '../../app/session';
import { sourceKey } from '../../app/source-key';
import * as store from '../../app/store';
import { setView } from '../../app/tabs';
import { Turns } from '../../app/turns';
import { r } from '../../content/reuse';
import { isPageError } from '../../engine/lost';
import type { Source } from '../../engine/protocol';
import type { EngineSpec, Input, InputInfo, Series } from '../../engine/reuse/protocol';
import type { Scenario } from '../../engine/types';
import { generatedBytes, SWEEP, writeFiles, type Settings } from './settings';
import {
  activity,
  comparison,
  diagnostics,
  engine,
  input,
  MEMORY_LIMIT,
  message,
  needed,
  neededToCompare,
  prepared,
  sampled,
  settings,
  shown,
  sweep,
  tooBig,
  wanted,
  type Comparison,
  type SweepRow,
  type Work,
} from './state';

const turns = new Turns(() => engine.cancel());

/** Streams that the person dropped here, and what the link calls them. */
let streams: File[] = [];
let streamsAre = '';
/** What the worker holds, as a text that tells inputs apart, and what it was prepared for. */
let held = '';
let heldGeneration = -1;
let preparedFor = '';
/** The fingerprint that this page wrote into its link; any other one is a promise. */
let own: string | null = null;

function currentInput(): Input | null {
  const { input, generated } = settings.value;
  if (input === 'files') return streams.length > 0 ? dropped(streams, readAs(settings.value.format)) : null;
  if (input !== 'trace') return generated;
  const source = store.source.value;
  return source && { kind: 'files', source };
}

function dropped(files: File[], reading: NonNullable<Source['reading']> = {}): Input {
  return { kind: 'files', source: { example: null, files, reading } };
}

/** All files as one format. */
function readAs(format: string | null): Record<number, { format: string | null }> {
  return Object.fromEntries(streams.map((_, i) => [i, { format }]));
}

function inputKey(): string {
  const { input, generated, format } = settings.value;
  const files = streams.map((f) => [f.name, f.size, f.lastModified]);
  return JSON.stringify([
    input,
    settings.value.keep,
    input === 'trace' ? sourceKey.value : input === 'files' ? [files, format] : generated,
  ]);
}

function progress(work: Work) {
  return (done: number, total: number) => {
    const now = activity.value;
    if (now?.work === work) activity.value = { ...now, done, total };
  };
}

/** Progress of the run of CUDA text, which follows the reading by itself. */
function emulated(done: number, total: number) {
  if (activity.value?.work === 'reading') enter('emulating');
  progress('emulating')(done, total);
}

/** Does one thing at a time, with its progress shown; what it throws becomes something to read. */
function work(kind: Work, job: () => Promise<boolean>): Promise<void> {
  return turns.take(async () => {
    activity.value = { work: kind, done: 0, total: 0, cancelling: false };
    message.value = '';
    try {
      if (!(await job())) message.value = r.progress.cancelled;
    } catch (error) {
      if (isPageError(error)) diagnostics.value = error.diagnostics;
      else reportCrash(error, runAgain);
    } finally {
      activity.value = null;
    }
  });
}

const runAgain = () => run();

function enter(kind: Work) {
  if (activity.value) activity.value = { ...activity.value, work: kind, done: 0, total: 0 };
}

export function cancel() {
  const now = activity.value;
  if (!now) return;
  activity.value = { ...now, cancelling: true };
  void engine.cancel();
}

/** Takes the streams that the link names where they are kept in this browser. */
async function findStreams({ input, files }: Settings) {
  const named = writeFiles(files);
  if (input !== 'files' || files.length === 0 || named === streamsAre) return;
  const found = await keptFiles(files);
  if (found) [streams, streamsAre] = [found, named];
}

/** Dropped files are being read. A run that is asked for meanwhile follows: it would cancel the reading. */
let taking = false;
let missed = false;

/** Reads, prepares and analyses what the settings say. */
export function run(unasked = true): Promise<void> {
  if (taking) {
    missed = true;
    return Promise.resolve();
  }
  return work('reading', async () => {
    const now = settings.value;
    await findStreams(now);
    const from = currentInput();
    batch(() => {
      tooBig.value = null;
      diagnostics.value = [];
      wanted.value = now.input === 'files' && !from ? now.files : [];
    });
    if (!from) return true;
    if (from.kind === 'generated' && unasked && generatedBytes(from) > MEMORY_LIMIT) {
      tooBig.value = { bytes: generatedBytes(from), work: 'running', go: () => void run(false) };
      return true;
    }
    if (!(await read(from, now))) return false;
    const info = input.value!;
    if (info.kind === 'none') {
      // The engine's messages say more.
      const told = info.diagnostics.length > 0;
      message.value = told ? r.problem.unusable : r.problem.nothing;
      return true;
    }
    if (!(await prepare(info, now))) return false;
    const bytes = needed(now.engine, prepared.value!);
    if (unasked && bytes > MEMORY_LIMIT) {
      tooBig.value = { bytes, work: 'running', go: () => void run(false) };
      return true;
    }
    enter('running');
    const analysed = await engine.analyse(specOf(now), progress('running'));
    if (!analysed) return false;
    const promised = now.result === own ? null : now.result;
    own = analysed.result.fingerprint;
    batch(() => {
      shown.value = {
        input: info,
        prepared: prepared.value!,
        analysed,
        settings: now,
        generation: engine.generation,
        reproduced: promised === null ? null : promised === analysed.result.fingerprint,
      };
      comparison.value = null;
      sweep.value = [];
      sampled.value = null;
      store.announce(r.progress.done(analysed.result.all.accesses, analysed.result.distinct));
    });
    setView('reuse.result', own);
    return true;
  });
}

async function read(from: Input, now: Settings): Promise<boolean> {
  const key = inputKey();
  if (held === key && heldGeneration === engine.generation && input.value) return true;
  // A fresh worker gives the memory of the input before back.
  if (held !== '') engine.restart();
  held = preparedFor = '';
  const info = await engine.open(from, now.line, now.keep, progress('reading'), emulated);
  if (!info) return false;
  [held, heldGeneration] = [key, engine.generation];
  batch(() => {
    input.value = info;
    diagnostics.value = info.diagnostics;
  });
  if (now.input === 'files' && now.files.some((file) => !info.files.some((f) => f.sha256 === file.sha256))) {
    message.value = r.problem.otherFiles;
    setView('reuse.files', writeFiles(info.files));
  }
  return true;
}

async function prepare(info: InputInfo, now: Settings): Promise<boolean> {
  enter('preparing');
  const line = now.line ?? info.line_bytes;
  const modelOrder = info.kind === 'kernels' && now.order === 'model';
  const scenario: Scenario = { ...store.scenario.value, model: 'paper', state: 'cold' };
  const key = JSON.stringify([
    held,
    heldGeneration,
    line,
    modelOrder,
    modelOrder ? [scenario.gpu, scenario.seed, scenario.set] : 0,
    scenario.kernels,
  ]);
  if (preparedFor === key && prepared.value) return true;
  preparedFor = '';
  const ready = await engine.prepare(
    line,
    modelOrder,
    info.kind === 'kernels' ? scenario : { ...scenario, kernels: [] },
    progress('preparing'),
  );
  if (!ready) return false;
  preparedFor = key;
  prepared.value = ready;
  return true;
}

export function specOf(now: Settings): EngineSpec {
  return now.engine === 'sample'
    ? { engine: 'sample', per_million: Math.round(now.rate * 1e6) }
    : { engine: now.engine };
}

/** The exact result, from a worker that holds what it was made of: a hard cancel loses that, and a sample is none. */
async function exactly(kind: Work): Promise<Series | null> {
  const now = shown.value;
  if (!now) return null;
  const { result } = now.analysed;
  if (now.generation === engine.generation && result.sample === null) return result.all;
  const from = currentInput();
  if (!from || !(await read(from, settings.value)) || !(await prepare(input.value!, settings.value))) return null;
  enter(kind);
  const analysed = await engine.analyse(
    result.sample === null ? specOf(now.settings) : { engine: 'rank' },
    progress(kind),
  );
  if (!analysed) return null;
  shown.value = { ...now, generation: engine.generation };
  return analysed.result.all;
}

/** Sequential against exact-parallel against HP-RDA. */
export function compare(unasked = true): Promise<void> {
  return work('comparing', async () => {
    const ready = prepared.value;
    if (!ready) return true;
    const bytes = neededToCompare(ready);
    if (unasked && bytes > MEMORY_LIMIT) {
      tooBig.value = { bytes, work: 'comparing', go: () => void compare(false) };
      return true;
    }
    tooBig.value = null;
    const exact = await exactly('comparing');
    const ways = exact && (await exactWays());
    if (!ways) return false;
    const { st, nb } = settings.value;
    const say = progress('comparing');
    if ((await engine.hpRdaTrace(say)) === null) return false;
    const approximate = await engine.hpRda(st, nb, say);
    const gpu = approximate && (await engine.hpRdaGpu(st, nb, say));
    if (!gpu) return false;
    comparison.value = { exact, ...ways, ...approximate, gpu };
    store.announce(r.compare.done);
    return true;
  });
}

/** The stream on one worker of the pool, then shared by several; null when cancelled. */
async function exactWays(): Promise<Pick<Comparison, 'sequentialMs' | 'parallel' | 'equal'> | null> {
  const say = progress('comparing');
  try {
    const whole = await engine.parts(1, say);
    const sequential = whole && (await engine.sequential(whole[0]!, say));
    const parts = sequential && (await engine.parts(settings.value.workers, say));
    const parallel = parts && (await engine.parallel(parts, say));
    if (!sequential || !parallel) return null;
    return { sequentialMs: sequential.ms, parallel, equal: await engine.equalsExact(parallel.summary) };
  } finally {
    engine.dismiss();
  }
}

/** HP-RDA over the lengths of thread traces. */
export function runSweep(): Promise<void> {
  return work('sweeping', async () => {
    if (!prepared.value) return true;
    if (!(await exactly('sweeping'))) return false;
    const say = progress('sweeping');
    if ((await engine.hpRdaTrace(say)) === null) return false;
    const rows: SweepRow[] = [];
    for (const [i, st] of SWEEP.entries()) {
      const found = await engine.hpRda(st, settings.value.nb, (done, total) =>
        say(i * total + done, SWEEP.length * total),
      );
      if (!found) return false;
      rows.push({
        st,
        plain: found.plain.result,
        adjusted: found.adjusted.result,
        ms: found.plain.ms,
        adjustedMs: found.adjusted.ms,
      });
      sweep.value = rows.slice();
    }
    store.announce(r.sweep.done);
    return true;
  });
}

/** A sample beside the exact result. */
export function runSample(): Promise<void> {
  return work('sampling', async () => {
    if (!prepared.value) return true;
    if (!(await exactly('sampling'))) return false;
    const found = await engine.analyse(
      { engine: 'sample', per_million: Math.round(settings.value.rate * 1e6) },
      progress('sampling'),
    );
    if (!found) return false;
    sampled.value = found;
    store.announce(r.sample.done);
    return true;
  });
}

/** Files that came while the tab is open: address streams stay here, anything else is for everybody. */
export async function takeFiles(files: File[]): Promise<boolean> {
  let mine = false;
  taking = true;
  await work('reading', async () => {
    engine.restart();
    held = preparedFor = '';
    const info = await engine.open(dropped(files), null, settings.value.keep, progress('reading'), emulated);
    if (!info) {
      mine = true;
      return false;
    }
    mine = info.kind === 'stream';
    if (!mine && info.kind === 'kernels') {
      // They become the trace of the Cache tab, which is what is wanted here then.
      batch(() => ['files', 'input', 'line', 'result'].forEach((key) => setView(`reuse.${key}`, null)));
    }
    if (!mine) return true;
    [streams, streamsAre] = [files, writeFiles(info.files)];
    keepFiles(info.files, files);
    batch(() => {
      // What was said of files before would seem to be about these.
      if (store.streams.value.length === 0) store.outcome.value = '';
      input.value = info;
      diagnostics.value = info.diagnostics;
      setView('reuse.input', null);
      setView('reuse.line', null);
      setView('reuse.format', null);
      setView('reuse.result', null);
      setView('reuse.files', writeFiles(info.files));
    });
    [held, heldGeneration] = [inputKey(), engine.generation];
    return true;
  });
  taking = false;
  if (missed) {
    missed = false;
    void run();
  }
  return mine;
}
