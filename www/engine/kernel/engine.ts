// The page's side of the worker of CUDA text.

import * as Comlink from 'comlink';
import type { OnProgress } from '../protocol';
import { RemoteWorker } from '../remote';
import type { CudaSettings } from '../types';
import type { KernelService, LaunchOutline, Recorded } from './protocol';

export class KernelEngine {
  readonly #worker = new RemoteWorker<KernelService>(
    () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
  );

  exampleText(id: string): Promise<string> {
    return this.#worker.call((remote) => remote.exampleText(id));
  }

  outline(text: string): Promise<LaunchOutline[]> {
    return this.#worker.call((remote) => remote.outline(text) as Promise<LaunchOutline[]>);
  }

  record(
    name: string,
    text: string,
    example: string | null,
    settings: CudaSettings,
    onProgress: OnProgress,
  ): Promise<Recorded | null> {
    return this.#worker.job(
      (remote) => remote.record(name, text, example, settings, Comlink.proxy(onProgress)) as Promise<Recorded | null>,
    );
  }

  /** A launch of the last run, counted from 0, as a file. */
  trace(launch: number, format: 'trc' | 'traceg'): Promise<Uint8Array<ArrayBuffer>> {
    return this.#worker.call((remote) => remote.trace(launch, format) as Promise<Uint8Array<ArrayBuffer>>);
  }

  arrayCsv(name: string): Promise<string> {
    return this.#worker.call((remote) => remote.arrayCsv(name));
  }

  /** Counts the workers used so far; the last run of an earlier one is gone. */
  get generation(): number {
    return this.#worker.generation;
  }

  cancel(): Promise<void> {
    return this.#worker.cancel();
  }
}
