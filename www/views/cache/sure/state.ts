// The study of a result: other seeds, the other model of one L1, and each parameter halved and doubled. It runs in a worker of its own.

import { effect, signal } from '@preact/signals';
import { memoryInstructions } from '../../../app/scenario';
import { tell } from '../../../app/session';
import * as store from '../../../app/store';
import { FOLLOWED } from '../../../content/sure';
import { isPageError } from '../../../engine/lost';
import type { Source } from '../../../engine/protocol';
import { Engine } from '../../../engine/scenario/engine';
import type { Parameter, Scenario, SweepRow } from '../../../engine/types';
import { effectOf, type Effect, rangeOf, ranked, studied } from './study';

/** Seeds that are tried. */
export const SEEDS = 8;
/** Warp instructions of a run that is repeated unasked: a study is some forty runs. */
const SMALL = 100_000;

export interface Study {
  /** Of which result it is. */
  of: store.Result;
  /** Index of the kernel on show. */
  kernel: number | null;
  /** The followed number of the result; null until its own run is done. */
  now: number | null;
  seeds: [number, number] | null;
  /** The other model of one L1, with its number. */
  other: { model: string; value: number } | null;
  effects: Effect[];
  state: 'waiting' | 'running' | 'done' | 'stopped';
}

export const study = signal<Study | null>(null);

const engine = new Engine();
/** Counts the studies; an earlier one that is still under way says nothing more. */
let turn = 0;

/** Whether the kernel on show runs alone as it runs among the others. */
export const isAlone = ({ scenario, report }: store.Result) =>
  report.kernels.length === 1 || (!scenario.warm && scenario.state !== 'warm');

/** Which kernels are studied: the one on show, or all where its caches hold what those before it left. */
function kernelsOf(result: store.Result): Pick<Scenario, 'kernels'> {
  const number = result.report.kernels[store.kernel.value ?? 0]?.number;
  return { kernels: isAlone(result) && number !== undefined ? [number] : result.scenario.kernels };
}

/** Ends what runs. What was found stays. */
export function stop() {
  turn += 1;
  engine.restart();
  const now = study.value;
  if (now?.state === 'running') study.value = { ...now, state: 'stopped' };
}

/** The rows of one sweep, or null when something else was asked for. */
async function rowsOf(mine: number, source: Source, scenario: Scenario, vary: string): Promise<SweepRow[] | null> {
  const outline = await engine.sweepPlan(source, scenario, [vary]);
  const rows: SweepRow[] = [];
  for (let point = 0; outline && point < outline.points; point += 1) {
    const row = mine === turn ? await engine.sweepPoint(point) : null;
    if (!row) return null;
    rows.push(row);
  }
  return mine === turn && outline ? rows : null;
}

/** Runs the study of the result on show. */
export async function begin() {
  const [result, source] = [store.result.value, store.source.value];
  if (!result || !source) return;
  const mine = (turn += 1);
  const scenario: Scenario = { ...result.scenario, ...kernelsOf(result), fingerprint: null };
  const { model } = scenario;
  const { name } = FOLLOWED[model];
  study.value = {
    of: result,
    kernel: store.kernel.value,
    now: null,
    seeds: null,
    other: null,
    effects: [],
    state: 'running',
  };
  const put = (part: Partial<Study>) => {
    if (mine === turn && study.value) study.value = { ...study.value, ...part };
  };
  try {
    const first = model === 'gpu' ? `state=${scenario.state}` : `seed=${scenario.seed}`;
    const own = await rowsOf(mine, source, scenario, first);
    const now = own && rangeOf(own, name)?.[0];
    if (now === null || now === undefined) return put({ state: 'stopped' });
    put({ now });
    if (model !== 'gpu') await studySeeds(mine, source, scenario, put);
    const effects: Effect[] = [];
    for (const parameter of studied(store.parameters.value, scenario.set)) {
      const rows = await rowsOf(mine, source, scenario, `${parameter.key}=x1/2,x2`);
      if (!rows) return;
      effects.push(effectOf(parameter, valueOf(parameter, scenario), rows, name, now));
      put({ effects: ranked(effects) });
    }
    put({ state: 'done' });
  } catch (error) {
    if (mine !== turn) return; // a worker that was ended has nothing to tell
    put({ state: 'stopped' });
    if (!isPageError(error)) tell(error);
  } finally {
    if (mine === turn) engine.restart();
  }
}

const valueOf = ({ key, value }: Parameter, { set }: Scenario) => set[key] ?? value;

async function studySeeds(mine: number, source: Source, scenario: Scenario, put: (part: Partial<Study>) => void) {
  const { name } = FOLLOWED[scenario.model];
  const seeds = await rowsOf(mine, source, scenario, `seed=1..${SEEDS}`);
  if (seeds) put({ seeds: rangeOf(seeds, name) });
  const other = scenario.model === 'paper' ? 'reference' : 'paper';
  const rows = seeds && (await rowsOf(mine, source, scenario, `model=${other}`));
  const value = rows && rangeOf(rows, name)?.[0];
  if (value !== null && value !== undefined) put({ other: { model: other, value } });
}

const small = ({ intake, scenario }: store.Result) => memoryInstructions(intake, scenario.kernels) <= SMALL;

/** Follows the result on show: a small one of a model with seeds is studied at once, another one when it is asked for. */
export function follow(): () => void {
  return effect(() => {
    const [result, busy] = [store.result.value, store.busy.value];
    const before = study.peek();
    if (before?.of !== result || before.kernel !== store.kernel.value || busy) {
      stop();
      study.value = null;
    }
    if (!result || busy || study.peek()) return;
    if (result.generation === null || result.report.model === 'gpu' || !small(result)) return;
    void begin();
  });
}
