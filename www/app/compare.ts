// A baseline: pinned, run from a link, swapped, and put beside the run on show.

import { computed, effect, signal, untracked } from '@preact/signals';
import { c } from '../content/compare';
import { isPageError } from '../engine/lost';
import type { Source } from '../engine/protocol';
import { Engine } from '../engine/scenario/engine';
import type { Scenario } from '../engine/types';
import { baseline, comparing, type Beside, type Comparing, type Pinned } from './baseline';
import { withoutNames } from './names';
import { baseScenario, kernelBeside, sameSource } from './pair';
import { asLinked } from './reading';
import { defaultModel, sameRun, whyNotWanted } from './scenario';
import { adopt, asked, engine, read, safely, showLink, start } from './session';
import { openExample } from './sources';
import * as store from './store';
import { twinOf, twinSizes } from './twin';

/** Index of the baseline's kernel that a person chose; null: the one that goes with the kernel on show. */
export const chosenKernel = signal<number | null>(null);

/** Baselines of before, so that Back, Forward and Swap need no run. */
const KEPT = 4;
let kept: Pinned[] = [];

const same = (a: Scenario, b: Scenario) => sameRun(a, b) && a.fingerprint === b.fingerprint;

let following = false;

/** Follows the scenario: whatever it names as its baseline is run, unless its report is there. */
export function follow() {
  if (following) return;
  following = true;
  effect(() => {
    const { base } = store.scenario.value;
    void store.intake.value; // the files that a baseline waits for may be among those in use
    untracked(() => take(base));
  });
  effect(() => {
    comparing.value = compared.value;
  });
}

function take(base: Scenario | null) {
  const now = baseline.value;
  if (base === null || !now || !same(now.scenario, base)) chosenKernel.value = null;
  if (base === null) {
    endRun();
    baseline.value = null;
    return;
  }
  if (now && now.kind !== 'wanted' && same(now.scenario, base)) return;
  const known = kept.find((pinned) => same(pinned.scenario, base));
  if (known) {
    endRun();
    baseline.value = { kind: 'ready', ...known };
    return;
  }
  const source = sourceOf(base);
  if (source) void run(base, source);
  else if (now?.kind !== 'wanted' || !same(now.scenario, base)) {
    endRun();
    baseline.value = { kind: 'wanted', scenario: base, why: [] };
  }
}

/** Where the kernels of a baseline come from: an example, the text that the link carries, or files in use. */
function sourceOf({ example, files, cuda }: Scenario): Source | null {
  const [only] = files;
  if (!only) return { example, files: [], cuda };
  if (cuda.text !== null && files.length === 1)
    return { example: null, files: [new File([cuda.text], only.name)], cuda };
  const ids = store.intake.value?.files.map(({ id }) => id) ?? [];
  const mine = files.map(({ sha256 }) => store.source.value?.files[ids.findIndex((id) => id.sha256 === sha256)]);
  const found = mine.filter((file) => file !== undefined);
  return found.length === files.length ? { example, files: found, cuda } : null;
}

/** The engine of a baseline's run. It works beside the page's own, which keeps its result. */
let runner: Engine | null = null;

function endRun() {
  runner?.restart();
  runner = null;
}

async function run(scenario: Scenario, wanted: Source): Promise<void> {
  endRun();
  const own = (runner = new Engine());
  baseline.value = { kind: 'running', scenario };
  const quiet = () => {};
  try {
    let source = wanted;
    let opened = await own.open(source, quiet, quiet);
    const came = opened?.intake.files.map(({ id }) => id) ?? [];
    const again = opened && asLinked(source, scenario.files, came);
    if (again) opened = await own.open((source = again), quiet, quiet);
    const why = opened ? whyNotWanted(scenario.files, came) : [];
    const report = opened && why.length === 0 ? await own.run(source, scenario, quiet) : null;
    if (runner !== own) return;
    if (why.length > 0) baseline.value = { kind: 'wanted', scenario, why };
    if (!opened || !report) return;
    const reproduced = scenario.fingerprint === null ? null : scenario.fingerprint === report.fingerprint;
    const result = { report, scenario, intake: opened.intake, generation: null, reproduced };
    // A link that was written by hand may promise nothing. The pair's link has the fingerprint from now on.
    const base = { ...scenario, fingerprint: scenario.fingerprint ?? report.fingerprint };
    keep({ scenario: base, source, result });
    baseline.value = { kind: 'ready', scenario: base, source, result };
    if (reproduced === null) setBase(base);
  } catch (error) {
    if (runner === own)
      baseline.value = { kind: 'failed', scenario, diagnostics: isPageError(error) ? error.diagnostics : [] };
  } finally {
    own.restart();
    if (runner === own) runner = null;
  }
}

function keep(pinned: Pinned) {
  kept = [pinned, ...kept.filter((other) => !same(other.scenario, pinned.scenario))].slice(0, KEPT);
}

/** Files that a person opened for a baseline that waits for them. */
export function openFor(files: File[]) {
  const now = baseline.value;
  if (now?.kind === 'wanted') void run(now.scenario, { example: now.scenario.example, files, cuda: now.scenario.cuda });
}

const baseOf = ({ scenario, report }: store.Result) => baseScenario(scenario, report.fingerprint);

/** The run on show as a baseline; null where its files are no longer in use. */
function asPinned({ result, source: own, intake }: store.Shown): Pinned | null {
  if (!result) return null;
  const scenario = baseOf(result);
  const source = intake === result.intake ? own : sourceOf(scenario);
  return source && { scenario, source, result };
}

const isBaseline = (result: store.Result | null) =>
  baseline.value !== null && result !== null && same(baseline.value.scenario, baseOf(result));

/** Whether the run on show is the baseline itself. */
export const isPinned = computed(() => isBaseline(store.result.value));

function setBase(base: Scenario | null) {
  store.scenario.value = { ...store.scenario.value, base };
}

function pin(shown: store.Shown): boolean {
  follow();
  const pinned = asPinned(shown);
  if (!pinned) return false;
  keep(pinned);
  setBase(pinned.scenario);
  return true;
}

/** Makes the run on show the baseline and says what comes next, or gives the baseline up where the run is it. */
export function toggle(shown: store.Shown) {
  if (isBaseline(shown.result)) return unpin();
  if (!pin(shown)) return;
  store.confirm(c.kept);
  void safely(showLink);
}

export function unpin() {
  setBase(null);
  void safely(showLink);
}

/** Makes the run before the baseline of the one on show, or gives the baseline up where it is that run. */
export function compareWithBefore({ before: result, source, intake }: store.Shown) {
  if (!result || !source || result.intake !== intake) return;
  if (store.scenario.value.base?.fingerprint === result.report.fingerprint) return unpin();
  follow();
  const scenario = baseOf(result);
  keep({ scenario, source, result });
  setBase(scenario);
  void safely(showLink);
}

/** The baseline takes the place of the run on show, and that one becomes the baseline. */
export function swap(): Promise<void> {
  const [now, after] = [baseline.value, asPinned(store.onShow())];
  if (now?.kind !== 'ready' || !after) return Promise.resolve();
  keep(after);
  const { source, scenario } = now;
  return asked(async () => {
    const intake = source === store.source.value ? store.intake.value : await read(source);
    if (!intake) return;
    adopt(source, intake);
    const { view: mine } = store.scenario.value;
    const view = { ...(sameSource(scenario, after.scenario) ? mine : withoutNames(mine)), ...scenario.view };
    store.modelChosen.value = scenario.model !== defaultModel(scenario.gpu, store.presets, intake);
    await start({ ...scenario, view, base: after.scenario }, null);
  });
}

/** Pins the run on show and runs its other form under the same settings. */
export function compareWithTwin(shown: store.Shown): Promise<void> {
  const { result } = shown;
  const other = result && twinOf(result.scenario, store.examples);
  if (!result || !other || !pin(shown)) return Promise.resolve();
  const { example, cuda } = result.scenario;
  return safely(async () => {
    const outlines = async (id: string) => engine.outline(await engine.exampleText(id));
    const sizes =
      other.id === example
        ? other.sizes
        : twinSizes(await outlines(example ?? ''), await outlines(other.id), cuda.sizes, other.sizes);
    await openExample(other.id, { ...cuda, launch: null, sizes });
  });
}

/** The words and numbers of the comparison, which the card makes; they go with it. */
export const told = signal<Pick<Comparing, 'facts' | 'signed' | 'figure'> | null>(null);

/** The kernel of the baseline beside the one on show. */
export const paired = computed<Beside | null>(() => {
  const [now, result] = [baseline.value, store.result.value];
  if (now?.kind !== 'ready' || !result) return null;
  const { report } = now.result;
  const found = kernelBeside(now.result, result, store.kernel.value ?? 0, chosenKernel.value);
  if (report.model === 'gpu') {
    const kernel = report.kernels[found.index];
    return kernel ? { ...found, model: 'gpu', kernel } : null;
  }
  const kernel = report.kernels[found.index];
  return kernel ? { ...found, model: report.model, kernel, ways: Number(report.parameters['ways']) } : null;
});

/** The same, but a kernel is not compared with itself. */
export const beside = computed(() =>
  isPinned.value && paired.value?.index === (store.kernel.value ?? 0) ? null : paired.value,
);

const compared = computed<Comparing | null>(() => {
  const [words, base, model] = [told.value, beside.value, store.result.value?.report.model];
  const now = baseline.value;
  if (!words || !base || now?.kind !== 'ready') return null;
  const same = base.model === model;
  const { report } = now.result;
  return {
    ...words,
    beside: base,
    gpu: same && base.model === 'gpu' ? base.kernel : null,
    l1: same && base.model !== 'gpu' ? base.kernel : null,
    gpuKernels: same && report.model === 'gpu' ? report.kernels : null,
    l1Kernels: same && report.model !== 'gpu' ? report.kernels : null,
  };
});
