// SHA-256 of files beside their reading, in a worker of its own that lives as long as the reading.

import { EngineWorker } from './engine-worker';

/** Smaller files are hashed by their reader before a second worker would be up. */
const LARGE = 4 << 20;

export class Hashes {
  readonly #worker = new EngineWorker('hash');
  /** One file after the other, as they are read. */
  #last: Promise<unknown> = Promise.resolve();
  #stopped = false;

  /** The hash of a file that is worth a worker, null once stopped; undefined when its reader should make it. */
  of(file: File): Promise<string | null> | undefined {
    if (file.size < LARGE) return undefined;
    const hash = this.#last.then(() => (this.#stopped ? null : this.#worker.job((remote) => remote.hash(file))));
    this.#last = hash.catch(() => {}); // whoever waits for the hash hears of it
    return hash;
  }

  /** Ends the worker, whatever it does. */
  stop() {
    this.#stopped = true;
    this.#worker.stop();
  }
}
