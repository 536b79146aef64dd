// What the Kernel tab knows: a draft, which becomes the page's source when it is run.

import { batch, computed, effect, signal } from '@preact/signals';
import { AS_IT_IS, sameCuda } from '../../app/scenario';
import { recall, remember } from '../../app/memory';
import { engine, lastRunMs, safely, showDiagnostics } from '../../app/session';
import { openExample, openText, textOf } from '../../app/sources';
import * as store from '../../app/store';
import { viewValue, setView } from '../../app/tabs';
import { k } from '../../content/kernel';
import type { LaunchOutline } from '../../engine/scenario/cuda';
import type { Source } from '../../engine/protocol';
import type { CudaSettings, Intake } from '../../engine/types';
import { keepShown, putAside, putShownAside, shownBefore, takeBack, type Unrun } from './drafts';
import { fractionIn, withLaunch } from './launch';
import { isOtherKernel, kernelNames } from './kernel-names';
import { levelLinesOf, linesOf, ofText } from './lines';

/** Time without a key before the launches of a text are looked at again, and before a field hands on what it holds. */
export const PAUSE_MS = 250;
/** Time without a key before a changed text is run by itself. */
const RUN_PAUSE_MS = 1500;
/** A run that takes longer is not repeated unasked. */
const QUICK_MS = 1500;
/** What an edited text is called when the kernel of the library that it began as is gone from it. */
const EDITED = 'edited.cu';

export interface Draft {
  name: string;
  text: string;
  example: string | null;
}

/** What the editor shows. */
export const draft = signal<Draft | null>(null);
/** Counts the texts that the editor has to take over. What is typed goes the other way only. */
export const written = signal(0);
/** How it will be run. */
export const settings = signal<CudaSettings>(AS_IT_IS);
/** What of the page's source the draft began as; null where that is no CUDA text. */
export const base = signal<Draft | null>(null);
export const outline = signal<LaunchOutline[]>([]);
/** The launches of the text that was run last. */
export const ran = signal<LaunchOutline[]>([]);
/** A changed text is run when its keys pause. */
export const autoRun = signal(recall('auto-run') !== 'off');

/** The kernel of the library that the draft began as. */
const beganAs = computed(() => draft.value?.example ?? null);
/** Names of the kernels in its text; empty while they are not known. */
const libraryKernels = signal<string[]>([]);

/** The draft by its name and the kernel of the library that it is. A text with other kernels is not that one any more. */
export const shown = computed(() => {
  const now = draft.value;
  const left = now !== null && now.example !== null && isOtherKernel(now.text, libraryKernels.value);
  return left ? { ...now, name: EDITED, example: null } : now;
});

/** The draft is what the page shows the results of. */
export const current = computed(() => {
  const [now, before, cuda] = [draft.value, base.value, store.source.value?.cuda ?? AS_IT_IS];
  return now !== null && before !== null && now.text === before.text && sameCuda(settings.value, cuda);
});

/** The report on the text on show, without kernels of files beside it; null while there is none. */
const report = computed(() => {
  const result = store.result.value;
  const fits = current.value && result && result.intake === store.intake.value && !store.stale.value;
  return fits ? ofText(result.report, result.intake) : null;
});

/** Counts per line of the text on show; empty while there is no result of a model of one L1 for it. */
export const lines = computed(() => (report.value && report.value.model !== 'gpu' ? linesOf(report.value) : []));

/** The same in the model `gpu`. */
export const levelLines = computed(() => (report.value?.model === 'gpu' ? levelLinesOf(report.value) : []));

/** Seconds of the kernels of the text that ran last in the model `gpu`, and of the text before its edit where that has the same kernels and settings. */
const times = signal<{ now: number; before: number | null } | null>(null);

/** The same, while the text on show is that text. */
export const shownTimes = computed(() => (report.value?.model === 'gpu' ? times.value : null));

/** The line that a link or the Cache tab points at. */
export const line = computed(() => Number(viewValue('kernel.line') ?? 0));

export function showLine(number: number | null) {
  setView('kernel.line', number === null ? null : String(number));
}

let followed: Source | null = null;
/** What the draft's text was when it came or was run last. */
let began: string | null = null;
/** The engine that the source came from last. */
let generation = store.generation.peek();

/** The draft, where it was changed and not run since. */
function unrun(): Unrun | null {
  const now = shown.peek();
  return now && began !== null && now.text !== began ? { ...now, settings: settings.peek(), at: Date.now() } : null;
}

/**
 * Takes over the text of the page's source. A source that was made from the draft leaves the draft as it is: its text has
 * been typed here, and more may have been typed since.
 */
async function follow(source: Source) {
  const found = await textOf(source, store.intake.value);
  const own = found ?? (draft.value ? null : await firstText());
  const kept = draft.value ? null : shownBefore(found?.name ?? '');
  const text = kept ?? own;
  // With the text, so that no form of another text stands beside it.
  const launches = text && (await engine.outline(text.text));
  if (source !== store.source.value) return;
  batch(() => {
    const typed = unrun();
    const again = store.generation.peek() !== generation && found?.text === began;
    generation = store.generation.peek();
    base.value = found && { ...found, example: source.example };
    if (!source.fromEditor) [ranText, aboutText.value] = [null, found?.text ?? null];
    if (found && source.fromEditor) began = found.text;
    // A new engine opens once more what the page showed. What was typed meanwhile stays.
    if (!text || !launches || (draft.value && (source.fromEditor || again))) return;
    if (typed && typed.text !== text.text) putAside(typed);
    else if (!draft.value && !kept) putShownAside();
    written.value += 1;
    outline.value = launches;
    began = own?.text ?? null;
    const example = found ? source.example : (store.examples[0]?.id ?? null);
    draft.value = kept ? { name: kept.name, text: kept.text, example: kept.example } : { ...text, example };
    settings.value = kept?.settings ?? { ...AS_IT_IS, ...(found ? source.cuda : {}), text: null };
  });
}

async function firstText() {
  const id = store.examples[0]!.id;
  return { name: `${id}.cu`, text: await engine.exampleText(id) };
}

/** What `times` is of. */
let timed: { text: string; under: string } | null = null;

function takeTime() {
  const [found, result, text] = [report.value, store.result.value, base.value?.text];
  if (found?.model !== 'gpu' || !result || text === undefined) return;
  const { gpu, state, set, kernels, cuda } = result.scenario;
  const names = found.kernels.map(({ name }) => name);
  const under = JSON.stringify([gpu, state, set, kernels, { ...cuda, text: null }, names]);
  if (timed?.text === text && timed.under === under) return;
  const edited = store.source.peek()?.fromEditor === true && timed?.under === under;
  const now = found.kernels.reduce((sum, kernel) => sum + kernel.gpu.seconds, 0);
  times.value = { now, before: edited ? (times.peek()?.now ?? null) : null };
  timed = { text, under };
}

/** The text that the page's source was taken over from is in the editor. */
let following: Promise<void> = Promise.resolve();
let refusedBefore: Source | null = null;

/** Shows a dropped text of which nothing could be run, so that its messages stand at its lines and it can be mended. */
async function showRefused({ source, intake }: { source: Source; intake: Intake }) {
  await following;
  const found = await textOf(source, intake);
  const launches = found && (await engine.outline(found.text));
  if (!launches || store.refused.value?.source !== source) return;
  batch(() => {
    const typed = unrun();
    if (typed && typed.text !== found.text) putAside(typed);
    written.value += 1;
    outline.value = launches;
    began = found.text;
    draft.value = { ...found, example: null };
    settings.value = AS_IT_IS;
    tried = asTried();
    aboutText.value = found.text;
  });
}

/** Keeps draft and outline in line with the page while the tab is open. */
export function watch(): () => void {
  const ends = [
    effect(() => {
      const [source, intake] = [store.source.value, store.intake.value];
      if (!source || !intake || source === followed) return;
      followed = source;
      following = safely(() => follow(source));
    }),
    effect(() => {
      const refused = store.refused.value;
      if (!refused || refused.source === refusedBefore || refused.source.fromEditor) return;
      refusedBefore = refused.source;
      if (refused.source.files.length === 1) void safely(() => showRefused(refused));
    }),
    effect(() => {
      const said = store.diagnostics.value.length + store.outcome.value.length;
      if (said > 0) aboutText.value = ranText ?? draft.peek()?.text ?? null;
    }),
    effect(() => {
      const text = draft.value?.text;
      if (text === undefined) return;
      const timer = setTimeout(() => void safely(() => look(text)), PAUSE_MS);
      return () => clearTimeout(timer);
    }),
    effect(() => {
      libraryKernels.value = [];
      void safely(() => nameKernels(beganAs.value));
    }),
    effect(() => {
      void settings.value; // a size that is typed begins the pause again
      const busy = store.busy.value;
      if (!autoRun.value || draft.value === null || current.value) return;
      const now = going.peek();
      overtaken ||= now !== null && tried !== asTried();
      // A run that began by itself gives way to the change; one that a person asked for ends first.
      if (busy && now?.by !== 'unasked') return;
      const timer = setTimeout(runUnasked, RUN_PAUSE_MS);
      return () => clearTimeout(timer);
    }),
    effect(() => {
      if (current.value) ran.value = outline.value;
    }),
    effect(takeTime),
    effect(() => {
      // Whatever may have made the draft another one than the text that was run.
      const [of, , ready] = [base.value?.name ?? '', settings.value, draft.value];
      if (ready) keepShown(unrun(), of);
    }),
  ];
  return () => ends.forEach((end) => end());
}

async function nameKernels(example: string | null) {
  if (example === null) return;
  const names = kernelNames(await engine.exampleText(example));
  if (beganAs.peek() === example) libraryKernels.value = names;
}

/** What was run last, also where it gave nothing but messages. */
let tried: string | null = null;
const asTried = () => JSON.stringify([draft.peek()?.text, settings.peek()]);

/** It is what the editor shows. */
export const isTried = () => tried === asTried();

/** The text that the editor ran last; null where the page's text came from elsewhere since. */
let ranText: string | null = null;
/** The text that the messages on show are about. */
const aboutText = signal<string | null>(null);
/** They are about a text from before: it was changed since, or the run of the new one was cancelled. */
export const outdated = computed(() => !current.value && draft.value?.text !== aboutText.value);

/** Whether a person wanted a run, or a pause of the keys began it. */
type Wish = 'asked' | 'unasked';
/** The run of a text that is under way. */
const going = signal<{ by: Wish } | null>(null);
/** The text, or how it is run, was changed during its last run. That change would stay unrun where the run was long. */
let overtaken = false;

/** The page holds the text on show and has no result of it: its run was cancelled or refused, or settings have changed. */
export const unfinished = computed(
  () => current.value && store.result.value !== null && report.value === null && !going.value && !store.busy.value,
);

/** Runs a text, unless its runs are long or its messages stand there already. One with errors gives its messages. */
function runUnasked() {
  if ((overtaken || lastRunMs < QUICK_MS) && tried !== asTried()) void run('unasked');
}

export function setAutoRun(on: boolean) {
  autoRun.value = on;
  remember('auto-run', on ? 'on' : 'off');
}

/** Shows a text that was put aside, in place of the one on show. */
export function bringBack(one: Unrun) {
  batch(() => {
    const typed = unrun();
    takeBack(one);
    if (typed) putAside(typed);
    draft.value = { name: one.name, text: one.text, example: one.example };
    settings.value = one.settings;
    written.value += 1;
  });
}

async function look(text: string) {
  const found = await engine.outline(text);
  // The same launches again would write over a size that is being typed.
  const same = JSON.stringify(found) === JSON.stringify(outline.value);
  if (draft.value?.text === text && !same) outline.value = found;
}

/** Takes over what is typed in the editor. */
export function edit(text: string) {
  if (draft.value) draft.value = { ...draft.value, text };
}

/** Changes from the form that are on their way into the text. */
let changing: Promise<void> = Promise.resolve();

/**
 * Changes a launch from the form, which rewrites its comment in the text. Its lines are looked up again: a key that came
 * after the outline may have moved them. The new outline comes with the text, so that no field shows its old value meanwhile.
 */
export function changeLaunch(launch: LaunchOutline, change: (launch: LaunchOutline) => LaunchOutline): Promise<void> {
  const at = outline.peek().indexOf(launch);
  const before = changing;
  changing = safely(async () => {
    await before;
    for (let text = draft.peek()?.text; text !== undefined;) {
      const there = (await engine.outline(text))[at];
      const next = there?.kernel === launch.kernel ? withLaunch(text, there, change(there)) : text;
      const found = await engine.outline(next);
      const now = draft.peek()?.text;
      if (now === text && now !== next) rewrite(next, found);
      text = now === text ? undefined : now;
    }
  });
  return changing;
}

/** Changes the text from outside the editor. */
function rewrite(text: string, launches: LaunchOutline[]) {
  batch(() => {
    edit(text);
    outline.value = launches;
    written.value += 1;
  });
}

/** A kernel of the library, run at once. */
export function choose(id: string) {
  showLine(null);
  return openExample(id, { ...AS_IT_IS, form: settings.value.form });
}

/** Makes the draft the page's source. An unchanged kernel of the library stays one, so that its link is short. */
export async function run(by: Wish = 'asked') {
  await changing;
  const now = shown.value;
  if (!now) return;
  const { form, launch } = settings.value;
  // A size that an edit took out of the text would be an error, and the form no longer shows it.
  const used = Object.entries(settings.value.sizes).filter(([name]) => now.text.includes(name));
  const cuda = { form, launch, sizes: Object.fromEntries(used), text: null };
  settings.value = { ...settings.value, sizes: cuda.sizes };
  tried = asTried();
  ranText = now.text;
  overtaken = false;
  const wrong = fractionIn(cuda.sizes, outline.value);
  if (wrong)
    return showDiagnostics(
      [{ severity: 'error', file: now.name, line: null, ...k.launch.fraction(...wrong) }],
      k.code.failed,
    );
  const mine = (going.value = { by });
  const { example } = now;
  await safely(async () => {
    const own = example !== null && (await engine.exampleText(example)) === now.text;
    await (own ? openExample(example, cuda, true) : openText(now.name, now.text, cuda));
  });
  // A newer run may be under way.
  if (going.peek() === mine) going.value = null;
}

/** A size other than the text's own; the own one, or none, is left out. */
export function setSize(name: string, value: string, own: string) {
  const { [name]: _, ...rest } = settings.value.sizes;
  const text = value.trim();
  settings.value = { ...settings.value, sizes: text === own || text === '' ? rest : { ...rest, [name]: text } };
}
