// What is kept in the browser's database. The door to it is `kept.ts`, which loads this when something is to be kept.

import { createStore, get, promisifyRequest, clear, type UseStore } from 'idb-keyval';
import { withFile, type KeptFile } from './budget';

const LIST = 'files';
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

export function forget(): Promise<void> {
  return clear(database());
}
