// The worker that runs CUDA text in short steps and keeps what the last run gave.

import * as Comlink from 'comlink';
import init, { KernelLab } from '../../../pkg/kernel/warpscope';
import type { OnProgress } from '../protocol';
import { inSteps } from '../steps';
import type { CudaSettings } from '../types';
import type { KernelRun, KernelService, Recorded } from './protocol';

/** Warp instructions of the first step. */
const FIRST_BUDGET = 20_000;

interface Step {
  done: number;
  total: number;
  run: KernelRun | null;
}

class Service implements KernelService {
  #made: KernelLab | null = null;
  #cancelled = false;

  get #lab(): KernelLab {
    if (!this.#made) throw new Error('the engine was used before it was started');
    return this.#made;
  }

  async boot() {
    await init();
    this.#made = new KernelLab();
  }

  cancel() {
    this.#cancelled = true;
  }

  exampleText(id: string): string {
    return this.#lab.example_text(id);
  }

  outline(text: string) {
    return this.#lab.outline(text);
  }

  async record(
    name: string,
    text: string,
    example: string | null,
    settings: CudaSettings,
    onProgress: OnProgress,
  ): Promise<Recorded | null> {
    this.#cancelled = false;
    this.#lab.start(name, text, example ?? undefined, settings);
    const step = (budget: number) => {
      const { done, total, run } = this.#lab.step(budget) as Step;
      return { done, total, value: run };
    };
    const done = await inSteps(FIRST_BUDGET, step, onProgress, () => this.#cancelled);
    if (!done) return null;
    const bytes = this.#lab.recording() as Uint8Array<ArrayBuffer>;
    return Comlink.transfer({ run: done.value, bytes }, [bytes.buffer]);
  }

  trace(launch: number, format: 'trc' | 'traceg') {
    return this.#lab.trace(launch, format) as Uint8Array<ArrayBuffer>;
  }

  arrayCsv(name: string): string {
    return this.#lab.array_csv(name);
  }
}

Comlink.expose(new Service());
