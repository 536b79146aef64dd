// Texts that were typed and not run. They live in the storage of this browser tab, so that two tabs keep their own, and
// are gone with the tab.

import { effect, signal } from '@preact/signals';
import { forgotten, recallHere, rememberHere } from '../../app/memory';
import type { CudaSettings } from '../../engine/types';
import type { Draft } from './state';

/** A text with how it was about to be run. */
export interface Unrun extends Draft {
  settings: CudaSettings;
  /** When it left the editor, or was changed last; in milliseconds. */
  at: number;
}

const KEY = 'drafts';
/** Texts that are put aside, at most. */
const MOST = 5;
/** Time without a key before the text is written. */
const PAUSE_MS = 300;

interface Stored {
  /** What the editor shows, and the name of the text that the page shows the results of. */
  shown: { draft: Unrun; of: string } | null;
  left: Unrun[];
}

function stored(): Stored {
  try {
    const { shown, left } = JSON.parse(recallHere(KEY) ?? '{}') as Partial<Stored>;
    return { shown: shown ?? null, left: left ?? [] };
  } catch {
    return { shown: null, left: [] };
  }
}

const before = stored();
let { shown } = before;
/** Texts that another one has replaced in the editor, the newest first. */
export const left = signal<Unrun[]>(before.left);
let timer: ReturnType<typeof setTimeout> | undefined;

function write() {
  clearTimeout(timer);
  timer = undefined;
  rememberHere(
    KEY,
    shown || left.value.length > 0 ? JSON.stringify({ shown, left: left.value } satisfies Stored) : null,
  );
}

addEventListener('pagehide', () => timer !== undefined && write());
effect(() => {
  if (forgotten.value === 0) return;
  shown = null;
  left.value = [];
  write();
});

/** The text that a reload has to bring back; null when the editor holds nothing that is not run. */
export function keepShown(draft: Unrun | null, of: string) {
  if (!draft && !shown) return;
  shown = draft && { draft, of };
  timer ??= setTimeout(write, PAUSE_MS);
}

/** The text that the editor showed before the page was loaded, where it belongs to `of`. */
export function shownBefore(of: string): Unrun | null {
  return shown?.of === of ? shown.draft : null;
}

/** What the editor showed before the page was loaded, if it has no place in the editor now. */
export function putShownAside() {
  if (shown) putAside(shown.draft);
}

export function putAside(draft: Unrun) {
  left.value = [draft, ...left.value.filter(({ text }) => text !== draft.text)].slice(0, MOST);
  shown = null;
  write();
}

/** Takes a text out of those put aside. */
export function takeBack(draft: Unrun) {
  left.value = left.value.filter((one) => one !== draft);
  write();
}
