// The worker that holds the input of the Reuse tab and analyses it in short steps.

import * as Comlink from 'comlink';
import { type FileStream, reuse_chart, ReuseSession } from '../../../pkg/engine/warpscope';
import type { OnProgress, Source } from '../protocol';
import { Cancels } from '../cancels';
import { beginSource, inSteps, runTexts, streamFiles } from '../steps';
import type { Look, Scenario } from '../types';
import { GpuRefused } from '../web-gpu';
import { hpRdaOnGpu } from './hp-rda-gpu';
import type {
  Analysed,
  ReuseChart,
  ReuseResult,
  ReuseService,
  ReuseStep,
  EngineSpec,
  GpuOutcome,
  Input,
  InputInfo,
  Part,
  Prepared,
} from './protocol';

const FIRST_BUDGET = 50_000;
/** Accesses that are handed over at a time. */
const PIECE = 1 << 16;

/** A file, under the name and as the format that it is read with. */
interface ToRead {
  file: File;
  name: string;
  format: string | undefined;
}

export class Reuse implements ReuseService {
  #session = new ReuseSession(0);
  readonly #memory: WebAssembly.Memory;
  readonly #cancels = new Cancels();
  /** Files that are too large to be kept. */
  #passing: ToRead[] | null = null;
  #lineBytes = 1;
  #accesses = 0;
  #narrow = true;
  #distinct = 0;
  #traceMs = 0;

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
  }

  /** Does the task that was begun. */
  #task<T>(onProgress: OnProgress, pick: (step: ReuseStep) => T | null) {
    const isCancelled = this.#cancels.begin();
    const step = (budget: number) => {
      const said = this.#session.step(budget);
      return { done: said.done, total: said.total, value: pick(said) };
    };
    return inSteps(FIRST_BUDGET, step, onProgress, isCancelled);
  }

  async open(
    input: Input,
    lineBytes: number | null,
    keep: number,
    onRead: OnProgress,
    onEmulate: OnProgress,
  ): Promise<InputInfo | null> {
    this.#passing = null;
    this.#session.free();
    this.#session = new ReuseSession(keep);
    if (input.kind === 'generated') {
      const { pattern, exponent, n, m, seed } = input;
      if (!this.#session.generate(pattern, exponent, n, m, seed)) throw new Error(`no pattern ${pattern}`);
      const made = await this.#task(onRead, (step) => step.generated);
      return (
        made && {
          kind: 'stream',
          line_bytes: 1,
          kernels: [],
          accesses: made.value,
          kept_bytes: 4 * made.value,
          files: [],
          formats: [],
          candidates: [],
          read_as: '',
          diagnostics: [],
        }
      );
    }
    const isCancelled = this.#cancels.begin();
    beginSource(this.#session, input.source);
    const files = inOrder(input.source);
    if (!(await this.#stream(files, lineBytes ?? 64, onRead, isCancelled))) return null;
    if (!(await runTexts(this.#session, onEmulate, isCancelled))) return null;
    const info = this.#session.finish_files();
    if (info.kind === 'stream' && info.kept_bytes === null) this.#passing = files;
    return info;
  }

  #stream(files: ToRead[], lineBytes: number, onProgress: OnProgress, isCancelled: () => boolean): Promise<boolean> {
    const session = this.#session;
    const begin = (_: File, i: number) => session.begin_file(files[i]!.name, files[i]!.format, lineBytes);
    const to = { begin, take: (stream: FileStream) => session.take(stream), end: () => session.end_file() };
    return streamFiles(
      files.map(({ file }) => file),
      to,
      onProgress,
      isCancelled,
    );
  }

  async prepare(
    lineBytes: number,
    modelOrder: boolean,
    scenario: Scenario,
    onProgress: OnProgress,
  ): Promise<Prepared | null> {
    const atOnce = this.#session.prepare(lineBytes, modelOrder, scenario);
    const prepared = atOnce ?? (await this.#task(onProgress, (step) => step.prepared))?.value ?? null;
    if (prepared) {
      this.#lineBytes = prepared.line_bytes;
      this.#accesses = prepared.accesses;
      this.#narrow = prepared.narrow;
    }
    return prepared;
  }

  async analyse(engine: EngineSpec, onProgress: OnProgress): Promise<Analysed | null> {
    if (this.#passing) return this.#analysePassing(this.#passing, engine, onProgress);
    this.#session.start(engine);
    const found = await this.#task(onProgress, (step) => step.result);
    return found && { result: found.value, ms: found.ms, memory: this.#bytes() };
  }

  async #analysePassing(files: ToRead[], engine: EngineSpec, onProgress: OnProgress): Promise<Analysed | null> {
    const isCancelled = this.#cancels.begin();
    const began = performance.now();
    this.#session.start_passing(engine);
    if (!(await this.#stream(files, this.#lineBytes, onProgress, isCancelled))) return null;
    const { result } = this.#session.finish_passing();
    return result && { result, ms: performance.now() - began, memory: this.#bytes() };
  }

  /** Bytes of this worker's memory; it never shrinks, so this is its peak. */
  #bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  async hpRdaTrace(onProgress: OnProgress): Promise<number | null> {
    this.#session.start({ engine: 'hp-rda-trace' });
    const traced = await this.#task(onProgress, (step) => step.trace);
    if (!traced) return null;
    this.#distinct = traced.value.distinct;
    this.#traceMs = traced.ms;
    return traced.ms;
  }

  async hpRda(st: number, nb: number, onProgress: OnProgress): Promise<{ plain: Analysed; adjusted: Analysed } | null> {
    this.#session.start({ engine: 'hp-rda', st, nb, adjust: false });
    const found = await this.#task(onProgress, (step) => step.result);
    if (!found) return null;
    const ms = this.#traceMs + found.ms;
    const began = performance.now();
    const adjusted = this.#session.adjust_hp_rda() as ReuseResult;
    const later = performance.now() - began;
    const memory = this.#bytes();
    return { plain: { result: found.value, ms, memory }, adjusted: { result: adjusted, ms: ms + later, memory } };
  }

  async hpRdaGpu(st: number, nb: number, onProgress: OnProgress): Promise<GpuOutcome | null> {
    const isCancelled = this.#cancels.begin();
    try {
      const addresses = this.#session.hp_rda_addresses();
      const found = await hpRdaOnGpu({ addresses, distinct: this.#distinct, st, nb }, onProgress, isCancelled);
      if (!found) return null;
      const equal = this.#session.equals_hp_rda(found.histogram, found.count) ?? null;
      return { refused: null, detail: '', equal, ms: this.#traceMs + found.ms, adapter: found.adapter };
    } catch (error) {
      const refused = error instanceof GpuRefused ? (error as GpuRefused<string>).why : 'failed';
      return {
        refused,
        detail: error instanceof Error ? error.message : String(error),
        equal: null,
        ms: 0,
        adapter: '',
      };
    }
  }

  /** The lines, cut into stretches of equal length for other workers. */
  async parts(count: number, onProgress: OnProgress): Promise<Part[] | null> {
    const session = this.#session;
    session.read_lines();
    const isCancelled = this.#cancels.begin();
    const parts: (Uint32Array | BigUint64Array)[] = [];
    let [part, at, done] = [0, 0, 0];
    const length = (k: number) =>
      Math.floor(((k + 1) * this.#accesses) / count) - Math.floor((k * this.#accesses) / count);
    const make = (n: number) => (this.#narrow ? new Uint32Array(n) : new BigUint64Array(n));
    parts.push(make(length(0)));
    const step = (budget: number) => {
      let left = budget;
      while (left > 0 && part < count) {
        const most = Math.min(PIECE, parts[part]!.length - at);
        if (most > 0) {
          const lines = this.#narrow ? session.next_u32(most) : session.next_u64(most);
          (parts[part]! as Uint32Array).set(lines as Uint32Array, at);
          at += most;
          done += most;
          left -= most;
        } else {
          part += 1;
          at = 0;
          if (part < count) parts.push(make(length(part)));
        }
      }
      return { done, total: this.#accesses, value: part === count ? true : null };
    };
    if (!(await inSteps(PIECE, step, onProgress, isCancelled))) return null;
    const handed = parts.map((lines) => ({ narrow: this.#narrow, lines: lines.buffer as ArrayBuffer }));
    return Comlink.transfer(
      handed,
      handed.map((p) => p.lines),
    );
  }

  equalsExact(summary: Uint8Array): boolean | null {
    return this.#session.equals_exact(summary) ?? null;
  }

  window(key: string, from: number, to: number, most: number) {
    return this.#session.window(key, from, to, most);
  }

  chart(chart: ReuseChart, look: Look): string {
    return reuse_chart(chart, look);
  }

  reportJson(seconds: number): string {
    return this.#session.report_json(seconds);
  }

  csv(): string {
    return this.#session.csv();
  }

  cancel() {
    this.#cancels.cancel();
  }
}

/** In the order of their numbers, as the command line takes them: part2 before part10. */
function inOrder({ files, reading }: Source): ToRead[] {
  const named = files.map((file, i) => ({
    file,
    name: reading?.[i]?.name ?? file.name,
    format: reading?.[i]?.format ?? undefined,
  }));
  return named.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}
