// Files that the page was given, by their hash, so that a link that names them opens without asking, and recent runs.
// Storage may be full, forbidden or slow: then files last as long as the page, and nothing else changes.

import { effect, signal, untracked } from '@preact/signals';
import type { FileId } from '../../engine/types';
import { first } from '../first';
import { gpuName } from '../gpu-name';
import { forgetSmall } from '../memory';
import { linkHash } from '../session';
import * as store from '../store';
import { FILE_LIMIT } from './budget';

const database = () => import(/* webpackChunkName: 'kept' */ './database');

/** How long a person waits for an answer of the storage, in milliseconds. A forbidden one may never answer. */
const PATIENCE_MS = 3000;

/** What was opened since the page was loaded. The browser holds the contents of these, not the page. */
const here = new Map<string, Blob>();

/** Asks the storage; null where it has nothing, refuses, or is silent. */
export async function ask<Answer>(question: (db: Awaited<ReturnType<typeof database>>) => Promise<Answer>) {
  const silence = new Promise<null>((give) => setTimeout(() => give(null), PATIENCE_MS));
  try {
    return await Promise.race([database().then(question), silence]);
  } catch {
    return null;
  }
}

export function keepFiles(ids: Pick<FileId, 'sha256'>[], files: File[]) {
  ids.forEach(({ sha256 }, i) => {
    const file = files[i];
    if (!file || here.has(sha256)) return;
    here.set(sha256, file);
    if (file.size <= FILE_LIMIT) void ask((db) => db.putFile(sha256, file, Date.now()));
  });
}

/** Nothing for a file that was changed or deleted since. */
async function readable(content: Blob | null | undefined): Promise<Blob | null> {
  try {
    await content?.slice(0, 1).arrayBuffer();
    return content ?? null;
  } catch {
    return null;
  }
}

/** All the files that a link names, or null where one is not kept. */
export async function keptFiles(wanted: Pick<FileId, 'sha256' | 'name'>[]): Promise<File[] | null> {
  const found = await Promise.all(
    wanted.map(async ({ sha256, name }) => {
      const own = await readable(here.get(sha256));
      const content = own ?? (await readable(await ask((db) => db.getFile(sha256))));
      return content && new File([content], name);
    }),
  );
  return found.every((file) => file !== null) ? found : null;
}

/** Counts the changes of the list of recent runs. */
export const recentChanges = signal(0);

async function keepRun({ scenario, report }: store.Result) {
  const link = await linkHash();
  if (link === first.link) return;
  const name = scenario.example ?? scenario.files.map((file) => file.name).join(', ');
  await ask((db) => db.putRun({ name, gpu: gpuName(scenario.gpu), model: report.model, link, at: Date.now() }));
  recentChanges.value += 1;
}

/** Deletes all that is kept in this browser; false where its storage does not answer. */
export async function forgetAll(): Promise<boolean> {
  here.clear();
  forgetSmall();
  const done = await ask((db) => db.forget());
  recentChanges.value += 1;
  return done === true;
}

/** Keeps what the page opens and runs from now on. */
export function startKeeping() {
  effect(() => {
    const { source, intake } = { source: store.source.value, intake: store.intake.value };
    if (source && intake && source.files.length === intake.files.length)
      keepFiles(
        intake.files.map((file) => file.id),
        source.files,
      );
  });
  effect(() => {
    const shown = store.result.value;
    // Without a list of them the page is the same, so what fails here is nobody's concern.
    if (shown && shown.generation !== null) untracked(() => void keepRun(shown).catch(() => {}));
  });
}
