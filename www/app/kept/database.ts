// What is kept in the browser's database. The door to it is `kept.ts`, which loads this when something is to be kept.

import { clear, createStore, get, promisifyRequest, update, type UseStore } from 'idb-keyval';
import { withFile, type KeptFile } from './budget';
import { withRun, type Recent } from './recent';

const LIST = 'files';
const RECENT = 'recent';
const keyOf = (sha256: string) => `file:${sha256}`;

let opened: UseStore | null = null;
/** Not at the start of the module: where storage is forbidden, asking for it may throw. */
const database = () => (opened ??= createStore('warpscope', 'kept'));

/** Keeps a file under its hash. The list and the contents change together, in one step for all tabs of the browser. */
export function putFile(sha256: string, file: Blob, used: number): Promise<void> {
  return database()('readwrite', async (store) => {
    const kept = (await promisifyRequest<KeptFile[] | undefined>(store.get(LIST))) ?? [];
    const { stays, goes } = withFile(kept, { sha256, size: file.size, used });
    for (const { sha256: old } of goes) store.delete(keyOf(old));
    if (!kept.some((known) => known.sha256 === sha256)) store.put(file, keyOf(sha256));
    store.put(stays, LIST);
    await promisifyRequest(store.transaction);
  });
}

export function getFile(sha256: string): Promise<Blob | undefined> {
  return get<Blob>(keyOf(sha256), database());
}

export function putRun(run: Recent): Promise<void> {
  return update<Recent[]>(RECENT, (list) => withRun(list ?? [], run), database());
}

export async function recentRuns(): Promise<Recent[]> {
  return (await get<Recent[]>(RECENT, database())) ?? [];
}

export async function forget(): Promise<true> {
  await clear(database());
  return true;
}
