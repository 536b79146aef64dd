// What the page knows, as signals. Only the actions write here; views read.

import { computed, signal } from '@preact/signals';
import type { Diagnostic, ExampleInfo, FileId, Intake, Parameter, PresetInfo, Report, Scenario } from '../engine/types';
import type { Source } from '../engine/protocol';
import type { KernelRun } from '../engine/scenario/cuda';
import { first } from './first';
import { namesOf } from './names';
import { freshScenario, sameRun } from './scenario';

/** What the engine is doing; `done` and `total` are the engine's own count. */
export type Activity =
  { kind: 'idle' } | { kind: 'reading' | 'emulating' | 'running'; done: number; total: number; cancelling: boolean };

export interface Result {
  report: Report;
  scenario: Scenario;
  intake: Intake;
  /** Which worker holds it: charts and exports come from there. Null: it was made with the page, and no worker has it yet. */
  generation: number | null;
  /** Whether the fingerprint is the link's; null when no link promised one. */
  reproduced: boolean | null;
}

export interface Crash {
  kind: 'engine' | 'memory' | 'page';
  details: string;
  /** What asks once more for all that failed: of a tab with workers of its own, or null for what was asked of the page. */
  again?: ((() => Promise<void>) | null)[];
}

export const presets: PresetInfo[] = first.presets;
/** The GPU that the page opens with. */
export const firstGpu: PresetInfo | null = presets.find((p) => p.id === first.gpu) ?? presets[0] ?? null;
/** The kernels of the library; the page opens with the first. */
export const examples: ExampleInfo[] = first.library;
export const parameters = signal<Parameter[]>([]);

export const scenario = signal<Scenario>(freshScenario(first.library[0], firstGpu));
/** A person chose the model, or a link names one that is not its GPU's default: another GPU keeps it. */
export const modelChosen = signal(false);
export const source = signal<Source | null>(null);
export const intake = signal<Intake | null>(null);
export const result = signal<Result | null>(null);
/** The run before, where it had the same input. */
export const before = signal<Result | null>(null);
/** Time that the last run took for a memory instruction of its trace, in milliseconds; null before the first. */
export const msPerInstruction = signal<number | null>(null);
/** What running the present source's CUDA text gave; null where there is none. */
export const kernelRun = signal<KernelRun | null>(null);
/** Names that the person gave to arrays, by base address. */
export const arrayNames = computed(() => namesOf(scenario.value.view));
/** The run on show, the one before, and their input, for who works on after others may be on show. */
export const onShow = () => ({
  result: result.peek(),
  before: before.peek(),
  source: source.peek(),
  intake: intake.peek(),
});
export type Shown = ReturnType<typeof onShow>;
/** Index of the kernel on show; null until a run on a new source has chosen the worst. */
export const kernel = signal<number | null>(null);

export const activity = signal<Activity>({ kind: 'idle' });
/** The page opens on a link that only the engine can read. */
export const starting = signal(false);
/** The link that the engine has yet to read. It stays the address until then. */
export const unread = signal<string | null>(null);
export const diagnostics = signal<Diagnostic[]>([]);
/** Files of which nothing could be used; a person may have them read as something else. */
export const refused = signal<{ source: Source; intake: Intake } | null>(null);
/** A sentence above the diagnostics: what became of the dropped files. */
export const outcome = signal('');
/** Address streams that were dropped on the Cache tab, which cannot use them. */
export const streams = signal<File[]>([]);
/** Files that a link asks for, and why those offered do not do. */
export const wanted = signal<FileId[]>([]);
export const mismatch = signal<string[]>([]);
/** Bytes that a run with the present settings is estimated to take; null where that is not known. */
export const estimate = signal<number | null>(null);
/** Bytes a run would need, when that is too much to start it unasked. */
export const tooBig = signal<number | null>(null);
export const crash = signal<Crash | null>(null);
export const generation = signal(0);

/** Said to screen readers; `shown` to everybody. What `stays` tells of something that a person has yet to do or to know. */
export const status = signal({ text: '', shown: false, stays: false });

/** For those who cannot see that the page changed. */
export function announce(text: string) {
  status.value = { text, shown: false, stays: false };
}

/** How long a confirmation is in sight, in milliseconds. */
const SHOWN_MS = 8000;

/** For everybody: the page shows no other sign of it. It goes by itself, unless it `stays`. */
export function confirm(text: string, stays = false) {
  const told = { text, shown: true, stays };
  status.value = told;
  if (stays) return;
  setTimeout(() => {
    if (status.value === told) announce(text);
  }, SHOWN_MS);
}
export const helpOpen = signal(false);
/** The state is too long for a link. */
export const tooLong = signal(false);
/** A link that could not be copied, to be shown instead. */
export const shownLink = signal('');

/** The settings that the engine refused last. */
export const declined = signal<Scenario | null>(null);
export const stale = computed(() => result.value !== null && !sameRun(result.value.scenario, scenario.value));
export const busy = computed(() => activity.value.kind !== 'idle');
