// SHA-256 of files beside their reading, in a worker of its own that lives as long as the reading.

import * as Comlink from 'comlink';
import type { HashService } from './hash-worker';

/** Smaller files are hashed by their reader before a second worker would be up. */
const LARGE = 4 << 20;

export class Hashes {
  #worker: Worker | null = null;
  #remote: Comlink.Remote<HashService> | null = null;
  #failed: Promise<never> = new Promise(() => {});
  #stop: () => void = () => {};
  readonly #stopped = new Promise<null>((resolve) => (this.#stop = () => resolve(null)));
  /** One file after the other, as they are read. */
  #last: Promise<unknown> = Promise.resolve();

  /** The hash of a file that is worth a worker, null once stopped; undefined when its reader should make it. */
  of(file: File): Promise<string | null> | undefined {
    if (file.size < LARGE || typeof Worker === 'undefined') return undefined;
    const remote = this.#remote ?? this.#start();
    const hash = this.#last.then(() => Promise.race([remote.hash(file), this.#failed, this.#stopped]));
    this.#last = hash.catch(() => {}); // whoever waits for the hash hears of it
    return hash;
  }

  #start(): Comlink.Remote<HashService> {
    const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' });
    this.#worker = worker;
    this.#failed = new Promise((_, reject) => {
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message || 'the hash worker could not be loaded'));
      };
    });
    this.#failed.catch(() => {});
    return (this.#remote = Comlink.wrap<HashService>(worker));
  }

  /** Ends the worker, whatever it does. */
  stop() {
    this.#stop();
    this.#worker?.terminate();
  }
}
