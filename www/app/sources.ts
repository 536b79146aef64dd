// Where a run comes from: a link, an example, or files.

import { batch } from '@preact/signals';
import { m } from '../content/measured';
import { s } from '../content/strings';
import { isPageError } from '../engine/lost';
import type { Source } from '../engine/protocol';
import type { CudaSettings, FileInfo, Intake, PageError, ProfileInfo, Scenario } from '../engine/types';
import { isScenarioFile, withHeaders } from './files';
import { keptFiles } from './kept/kept';
import { asLinked, joined, withFormat } from './reading';
import { withoutNames } from './names';
import { AS_IT_IS, defaultModel, profiled, sameCuda, sameRun, usable, whyNotWanted, withModel } from './scenario';
import { offerToTab } from './tabs';
import {
  adopt,
  asked,
  askedBeside,
  engine,
  leftToTab,
  loadParameters,
  read,
  safely,
  showDiagnostics,
  showLink,
  showWaiting,
  start,
} from './session';
import * as store from './store';
import { isWaitingEntry, land, landOn } from './url';

/** Bytes of CUDA text that may still fit into a link when they are packed. */
const LINK_TEXT = 16_384;

/** Done once the last link has been read and has its turn. Whatever is asked for meanwhile takes the next turn. */
let linkRead: Promise<unknown> = Promise.resolve();
/** The view that the last link has brought: no person has changed it. */
let brought: Scenario['view'] | null = null;

/** Follows a link: an example runs at once; files are asked for. One that Back or Forward led to promises nothing. */
export function openHash(hash: string, back = false): Promise<void> {
  return askedBeside(() => openLinked(readLink(hash), back));
}

function openLinked(reading: ReturnType<typeof readLink>, back: boolean): Promise<void> {
  store.crash.value = null;
  const { view } = store.scenario.value;
  const turn = reading.then((read) => {
    const link = read === null || isPageError(read) ? null : read;
    if (link) landOn(link);
    const linked = link && { ...link, view: mergedView(view, store.scenario.value.view, link.view) };
    const wentBack = back && linked && goBack(linked);
    const ended = wentBack || follow(linked && back ? { ...linked, fingerprint: null } : (linked ?? read));
    brought = store.scenario.value.view;
    if (linked?.view !== link?.view) void safely(() => showLink(true));
    return { ended };
  });
  linkRead = turn.catch(() => {}); // told below
  return land(() => safely(async () => (await turn).ended));
}

/** Takes over another step on the source that is there; null where it has another source. */
function goBack(linked: Scenario): Promise<void> | null {
  const { source, intake, result } = {
    source: store.source.value,
    intake: store.intake.value,
    result: store.result.value,
  };
  const settings = { ...linked, files: filesInUse(), fingerprint: null };
  if (!source || !intake || store.wanted.value.length > 0 || !sameInput(source, linked)) return null;
  store.modelChosen.value = linked.model !== defaultModel(linked.gpu, store.presets, intake);
  const shown = result?.intake === intake && sameRun(result.scenario, settings);
  const waits = isWaitingEntry();
  batch(() => {
    if (String(linked.kernels) !== String(store.scenario.value.kernels)) store.kernel.value = null;
    store.scenario.value = settings;
    store.diagnostics.value = [];
    store.outcome.value = '';
    if (shown) store.tooBig.value = null;
  });
  return asked(async () => {
    if (!shown && !waits) return start(settings, null);
    await loadParameters();
    await (shown ? showLink() : showWaiting());
  });
}

/** The link's trace is the one that is there, and was read and launched in the same way. */
function sameInput(source: Source, linked: Scenario): boolean {
  const named = source.example === linked.example && sameCuda(source.cuda ?? AS_IT_IS, linked.cuda);
  const came = filesInUse();
  const files = came.length === linked.files.length && whyNotWanted(linked.files, came).length === 0;
  return named && files && asLinked(source, linked.files, came) === null;
}

/** What a link says; null for the address without one, and what is wrong with a link that cannot be read. */
async function readLink(hash: string): Promise<Scenario | PageError | null> {
  if (!hash) return null;
  store.unread.value = hash;
  try {
    return await engine.parseLink(hash);
  } catch (error) {
    if (isPageError(error)) return error;
    throw error;
  } finally {
    store.unread.value = null;
  }
}

/** The view of a link, with what the person changed while it was read. Another link followed meanwhile is no such change. */
function mergedView(before: Scenario['view'], now: Scenario['view'], linked: Scenario['view']): Scenario['view'] {
  if (now === before || now === brought) return linked;
  const { tab: _, ...rest } = linked;
  return { ...rest, ...now };
}

function follow(linked: Scenario | PageError | null): Promise<void> {
  const first = store.examples[0]?.id ?? null;
  if (linked === null) store.scenario.value = { ...store.scenario.value, view: {}, base: null };
  if (linked === null) return asked(() => loadExample(first, null));
  if (isPageError(linked))
    return asked(async () => {
      await loadExample(first, null);
      showDiagnostics(linked.diagnostics, s.problem.linkHelp);
    });
  // Where nothing is on screen yet, the tabs show the link's GPU at once.
  const { gpu, model } = store.result.value ? store.scenario.value : linked;
  store.scenario.value = { ...store.scenario.value, gpu, model, view: linked.view, base: linked.base };
  store.modelChosen.value = linked.model !== defaultModel(linked.gpu, store.presets, store.intake.value);
  const carried = carriedText(linked);
  if (carried) return asked(() => takeFiles(carried, linked));
  if (linked.files.length > 0 && whyNotWanted(linked.files, filesInUse()).length > 0)
    return asked(() => findFiles(linked));
  if (linked.files.length > 0) return asked(() => startLinked(linked));
  // A link that names neither files nor an example says how to look at whatever is there first.
  return asked(() => loadExample(linked.example ?? first, linked));
}

/** Does what a person asks for, after a link that is being read. */
async function askedNext(job: () => Promise<void>): Promise<void> {
  await linkRead;
  await asked(job);
}

/** The model that goes with another GPU; the same one keeps its own. */
function modelOf(gpu: string, before: Scenario, intake: Intake | null): Partial<Scenario> {
  if (gpu === before.gpu || store.modelChosen.value) return {};
  return withModel(defaultModel(gpu, store.presets, intake));
}

/** CUDA text that is not packed: after the format, the engine names the packing. */
const isPlainText = ({ read_as, format }: FileInfo) => read_as === 'cuda' && !format.includes(',');

/** The text of an example, or of the only CUDA text among the files. */
export async function textOf(source: Source, intake: Intake | null): Promise<{ name: string; text: string } | null> {
  if (source.example !== null) return { name: `${source.example}.cu`, text: await engine.exampleText(source.example) };
  const at = intake?.files.findIndex(isPlainText) ?? -1;
  const file = source.files[at];
  return file ? { name: file.name, text: await file.text() } : null;
}

/** The CUDA text that a link carries, as the only file that it names. */
function carriedText({ files, cuda }: Scenario): Source | null {
  const [only] = files;
  if (cuda.text === null || !only || files.length > 1) return null;
  return { example: null, files: [new File([cuda.text], only.name)], cuda };
}

function filesInUse() {
  return store.intake.value?.files.map((f) => f.id) ?? [];
}

/** The link's files are in use, perhaps read as something else. */
async function startLinked(linked: Scenario) {
  const again = store.source.value && asLinked(store.source.value, linked.files, filesInUse());
  await (again ? takeFiles(again, linked) : start({ ...linked, files: filesInUse() }, linked.fingerprint));
}

/** Opens the link's files where they are kept in this browser, and asks for them elsewhere. */
async function findFiles(linked: Scenario) {
  const files = await keptFiles(linked.files);
  await (files ? takeFiles({ example: linked.example, files, cuda: linked.cuda }, linked) : askForFiles(linked));
}

async function askForFiles(linked: Scenario) {
  batch(() => {
    store.scenario.value = linked;
    store.wanted.value = linked.files;
    store.mismatch.value = [];
    store.result.value = null;
    store.diagnostics.value = [];
    store.outcome.value = '';
    store.parameters.value = [];
    store.announce(s.wanted.heading(linked.files.length));
  });
}

/** Loads an example and runs it under the present settings. */
export function openExample(id: string | null, cuda: CudaSettings = AS_IT_IS, fromEditor = false): Promise<void> {
  return askedNext(() => loadExample(id, null, cuda, fromEditor));
}

/** Loads an example and runs it, with the settings of `linked` or the present ones. */
async function loadExample(id: string | null, linked: Scenario | null, cuda = AS_IT_IS, fromEditor = false) {
  if (id === null) return;
  const source: Source = { example: id, files: [], cuda: linked?.cuda ?? cuda, fromEditor };
  const intake = await read(source);
  if (!intake) return;
  if (!usable(intake))
    return showDiagnostics(intake.diagnostics, store.result.value ? s.diagnostics.kept : s.diagnostics.keptEmpty);
  adopt(source, intake);
  const before = store.scenario.value;
  // What the person changed of the view since the link was followed stays.
  const settings = linked
    ? { ...linked, view: before.view }
    : { ...before, kernels: [], view: withoutNames(before.view), fingerprint: null };
  const gpu = settings.gpu === 'file' ? (store.firstGpu?.id ?? '') : settings.gpu;
  await start(
    { ...settings, ...modelOf(gpu, settings, null), gpu, example: id, files: [], cuda: source.cuda ?? AS_IT_IS },
    linked?.fingerprint ?? null,
  );
}

/** Opens what the page saved where no link held it. */
async function openScenario(file: File) {
  const { readScenario } = await import(/* webpackChunkName: 'scenario-file' */ './scenario-file');
  const read = await readScenario(file, (scenario) => engine.link(scenario));
  if (isPageError(read))
    return showDiagnostics(read.diagnostics, store.result.value ? s.diagnostics.kept : s.diagnostics.keptEmpty);
  await openLinked(Promise.resolve(read), false);
}

/** Files from a drop or the picker, as many as came. */
export function openFiles(dropped: File[]): Promise<void> {
  if (dropped.length === 0) return Promise.resolve();
  return askedBeside(async () => {
    await linkRead;
    const scenarios = await Promise.all(dropped.map(isScenarioFile));
    const scenario = dropped[scenarios.indexOf(true)];
    if (scenario) {
      await openScenario(scenario);
      return openFiles(dropped.filter((_, i) => !scenarios[i]));
    }
    const files = await withHeaders(dropped, (paths, texts) => engine.joinFiles(paths, texts));
    if (await offerToTab(files)) return leftToTab();
    await askedNext(() => {
      const linked = store.wanted.value.length > 0 ? store.scenario.value : null;
      // A link may ask for files beside an example, such as a profile of it.
      const beside = linked === null ? {} : { example: linked.example, cuda: linked.cuda };
      return takeFiles({ example: null, files, ...beside }, linked);
    });
  });
}

/** Runs CUDA text from the editor, under the present settings of the caches. */
export function openText(name: string, text: string, cuda: CudaSettings): Promise<void> {
  const source = { example: null, files: [new File([text], name)], cuda, fromEditor: true };
  return askedNext(() => takeFiles(source, null));
}

/** Has a file of those on show read as another format; null: as what it looks like. */
export function readAs(number: number, format: string | null): Promise<void> {
  const shown = store.refused.value?.source ?? store.source.value;
  if (!shown) return Promise.resolve();
  return asked(() => takeFiles(withFormat(shown, number, format), null));
}

async function takeFiles(offered: Source, linked: Scenario | null) {
  let source = offered;
  let intake = await read(source);
  if (!intake) return;
  const again =
    linked &&
    asLinked(
      source,
      linked.files,
      intake.files.map((f) => f.id),
    );
  if (again) {
    source = again;
    intake = await read(source);
    if (!intake) return;
  }
  const present = store.source.value;
  if (
    !usable(intake) &&
    (intake.topology !== null || intake.profile !== null) &&
    present &&
    !source.files.some((file) => present.files.includes(file))
  ) {
    // A GPU or a profile without a trace: it joins the trace that is there.
    source = joined(present, source);
    intake = await read(source);
    if (!intake) return;
  }
  const streams = intake.files.filter((f) => f.role === 'address stream').map((f) => f.id.name);
  const outcome = usable(intake)
    ? ''
    : streams.length > 0
      ? s.diagnostics.stream(streams.join(', '))
      : store.result.value
        ? s.diagnostics.kept
        : s.diagnostics.keptEmpty;
  showDiagnostics(intake.diagnostics, outcome);
  store.refused.value = usable(intake) ? null : { source, intake };
  store.streams.value = streams.length > 0 && !usable(intake) ? offered.files : [];
  if (!usable(intake)) return;
  const came = intake.files.map((f) => f.id);
  if (linked) {
    store.mismatch.value = whyNotWanted(linked.files, came);
    offeredInstead = { source, intake };
    if (store.mismatch.value.length > 0) return;
  }
  const measured = linked ? null : newProfile(source, intake);
  const settings = profiled(await settingsFor(source, intake, linked), measured);
  adopt(source, intake);
  if (measured) store.modelChosen.value = settings.model !== defaultModel(settings.gpu, store.presets, intake);
  await start(settings, linked?.fingerprint ?? null);
  if (measured && store.result.value?.intake === intake) store.confirm(m.set(measured));
}

/** The profile, if one came with these files. One that joined earlier has set the model and the state before. */
function newProfile(source: Source, intake: Intake): ProfileInfo | null {
  const profiles = (of: Intake | null) => of?.files.filter((f) => f.role === 'profile').length ?? 0;
  const before = sameSource(source) ? profiles(store.intake.value) : 0;
  return profiles(intake) > before ? intake.profile : null;
}

/** Files that were dropped for a link but are others. */
let offeredInstead: { source: Source; intake: Intake } | null = null;

/** Takes the files although the link names others. */
export function useAnyway(): Promise<void> {
  const offer = offeredInstead;
  if (!offer) return Promise.resolve();
  const linked = store.scenario.value;
  return asked(async () => {
    adopt(offer.source, offer.intake);
    await start(await settingsFor(offer.source, offer.intake, linked), linked.fingerprint);
  });
}

/** Only a GPU was added to the trace that is there. */
function sameSource(source: Source): boolean {
  const before = store.source.value;
  return (
    before !== null && before.files.every((file) => source.files.includes(file)) && before.example === source.example
  );
}

async function settingsFor(source: Source, intake: Intake, linked: Scenario | null): Promise<Scenario> {
  const { kernels, view } = store.scenario.value;
  const kept = sameSource(source) ? { kernels, view } : { kernels: [], view: withoutNames(view) };
  const settings = linked ?? { ...store.scenario.value, ...kept, fingerprint: null };
  const presetGpu = settings.gpu === 'file' ? (store.firstGpu?.id ?? '') : settings.gpu;
  const gpu = intake.topology === null ? presetGpu : linked ? linked.gpu : 'file';
  return {
    ...settings,
    ...(linked ? {} : modelOf(gpu, settings, intake)),
    gpu,
    set: gpu === settings.gpu ? settings.set : {},
    example: source.example,
    files: intake.files.map((f) => f.id),
    cuda: await cudaFor(source, intake),
  };
}

/** How the source's CUDA text is run, with the text where it is the only file: a short one fits into the link. */
async function cudaFor({ files, cuda = AS_IT_IS }: Source, intake: Intake): Promise<CudaSettings> {
  const only = intake.files[0];
  const alone = files.length === 1 && only && isPlainText(only) && files[0]!.size < LINK_TEXT;
  return { ...cuda, text: alone ? await files[0]!.text() : null };
}
