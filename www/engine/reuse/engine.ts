// The page's side of the Reuse tab's workers: one that holds the input, and a pool that shares a stream.

import * as Comlink from 'comlink';
import type { OnProgress } from '../protocol';
import { EngineWorker } from '../engine-worker';
import type { Look, Scenario } from '../types';
import type { Bar, ReuseChart, EngineSpec, Input, Part } from './protocol';

export interface Parallel {
  workers: number;
  /** Time of the slowest partition, and of the merges on the longest way through their tree. */
  slowestMs: number;
  mergeMs: number;
  wallMs: number;
  /** Bytes that a partition took at most. */
  bytes: number;
  summary: Uint8Array;
}

interface Joined {
  worker: EngineWorker<'part'>;
  ms: number;
}

/** `b` hands over to `a`; the time is that of the longer way here. */
async function join(a: Joined, b: Joined): Promise<Joined | null> {
  const handed = await b.worker.job((remote) => remote.handOver() as Promise<{ summary: Uint8Array; ms: number }>);
  const ms =
    handed &&
    (await a.worker.job((remote) => remote.absorb(Comlink.transfer(handed.summary, [handed.summary.buffer]))));
  return handed && ms !== null ? { worker: a.worker, ms: Math.max(a.ms, b.ms + handed.ms) + ms } : null;
}

export class ReuseEngine {
  readonly #holder = new EngineWorker('reuse');
  readonly #pool: EngineWorker<'part'>[] = [];

  /** Which worker holds the input: what an earlier one held is gone. */
  get generation(): number {
    return this.#holder.generation;
  }

  /** Ends the worker that holds the input; the next call starts another. */
  restart() {
    this.#holder.stop();
  }

  /** `keep`: MiB of packed addresses that are kept at most. */
  open(input: Input, lineBytes: number | null, keep: number, onRead: OnProgress, onEmulate: OnProgress) {
    return this.#holder.job((remote) =>
      remote.open(input, lineBytes, keep * 2 ** 20, Comlink.proxy(onRead), Comlink.proxy(onEmulate)),
    );
  }

  prepare(lineBytes: number, modelOrder: boolean, scenario: Scenario, onProgress: OnProgress) {
    return this.#holder.job((remote) => remote.prepare(lineBytes, modelOrder, scenario, Comlink.proxy(onProgress)));
  }

  analyse(engine: EngineSpec, onProgress: OnProgress) {
    return this.#holder.job((remote) => remote.analyse(engine, Comlink.proxy(onProgress)));
  }

  hpRdaTrace(onProgress: OnProgress) {
    return this.#holder.job((remote) => remote.hpRdaTrace(Comlink.proxy(onProgress)));
  }

  hpRda(st: number, nb: number, onProgress: OnProgress) {
    return this.#holder.job((remote) => remote.hpRda(st, nb, Comlink.proxy(onProgress)));
  }

  hpRdaGpu(st: number, nb: number, onProgress: OnProgress) {
    return this.#holder.job((remote) => remote.hpRdaGpu(st, nb, Comlink.proxy(onProgress)));
  }

  parts(count: number, onProgress: OnProgress): Promise<Part[] | null> {
    return this.#holder.job((remote) => remote.parts(count, Comlink.proxy(onProgress)) as Promise<Part[] | null>);
  }

  /** The whole stream on one worker of the pool. */
  sequential(part: Part, onProgress: OnProgress) {
    const worker = this.#workers(1)[0]!;
    return worker.job((remote) => remote.whole(Comlink.transfer(part, [part.lines]), Comlink.proxy(onProgress)));
  }

  /** The stretches on as many workers, and their summaries merged pair by pair. */
  async parallel(parts: Part[], onProgress: OnProgress): Promise<Parallel | null> {
    const workers = this.#workers(parts.length);
    const began = performance.now();
    const done = parts.map(() => 0);
    const totals = parts.map(() => 0);
    const sum = (list: number[]) => list.reduce((a, b) => a + b, 0);
    const analysed = await Promise.all(
      parts.map((part, i) => {
        const say = Comlink.proxy((d: number, t: number) => {
          [done[i], totals[i]] = [d, t];
          onProgress(sum(done), sum(totals));
        });
        return workers[i]!.job((remote) => remote.analyse(Comlink.transfer(part, [part.lines]), say));
      }),
    );
    if (analysed.some((one) => one === null)) return null;
    // Each second worker hands over to the one before it, until one has all.
    let row = workers.map((worker) => ({ worker, ms: 0 }));
    while (row.length > 1) {
      const pairs = row.flatMap((_, i) => (i % 2 === 0 ? [row.slice(i, i + 2)] : []));
      const merged = await Promise.all(pairs.map(([a, b]) => (a && b ? join(a, b) : Promise.resolve(a ?? null))));
      row = merged.flatMap((one) => (one ? [one] : []));
      if (row.length < pairs.length) return null;
    }
    const last = row[0]!;
    const wallMs = performance.now() - began;
    // Only for the proof that it is the sequential histogram.
    const all = await last.worker.job((remote) => remote.handOver() as Promise<{ summary: Uint8Array; ms: number }>);
    if (!all) return null;
    return {
      workers: parts.length,
      slowestMs: Math.max(...analysed.map((one) => one?.ms ?? 0)),
      mergeMs: last.ms,
      wallMs,
      bytes: Math.max(...analysed.map((one) => one?.bytes ?? 0)),
      summary: all.summary,
    };
  }

  /** Ends the pool: its workers' memory is wanted back. */
  dismiss() {
    for (const worker of this.#pool.splice(0)) worker.stop();
  }

  #workers(count: number): EngineWorker<'part'>[] {
    while (this.#pool.length < count) this.#pool.push(new EngineWorker('part'));
    return this.#pool.slice(0, count);
  }

  equalsExact(summary: Uint8Array): Promise<boolean | null> {
    return this.#holder.call((remote) => remote.equalsExact(Comlink.transfer(summary, [summary.buffer])));
  }

  window(key: string, from: number, to: number, most: number): Promise<Bar[]> {
    return this.#holder.call((remote) => remote.window(key, from, to, most));
  }

  chart(chart: ReuseChart, look: Look): Promise<string> {
    return this.#holder.call((remote) => remote.chart(chart, look));
  }

  reportJson(seconds: number): Promise<string> {
    return this.#holder.call((remote) => remote.reportJson(seconds));
  }

  csv(): Promise<string> {
    return this.#holder.call((remote) => remote.csv());
  }

  async cancel(): Promise<void> {
    await Promise.all([this.#holder.cancel(), ...this.#pool.map((worker) => worker.cancel())]);
  }
}
