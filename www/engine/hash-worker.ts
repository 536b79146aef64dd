// The worker that makes the SHA-256 of large files: hashing takes as long as reading, and has nothing to do with it.

import * as Comlink from 'comlink';
import init, { Hasher } from '../../pkg/first/warpscope';

const ready = init();

const service = {
  /** Streams the file; never holds it. */
  async hash(file: File): Promise<string> {
    await ready;
    const hasher = new Hasher();
    const reader = file.stream().getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) hasher.push(part.value);
    return hasher.finish();
  },
};

export type HashService = typeof service;

Comlink.expose(service);
