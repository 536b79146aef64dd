// HP-RDA's steps 3 and 4 on the browser's GPU. In: references after step 1. Out: accesses by distance and the sum of the
// distinct addresses of all thread traces, as the CPU version has them; or the reason why the GPU cannot do it.

import { findAdapter, GpuRefused, withDevice, type NoGpu } from '../web-gpu';
import code from './hp-rda.wgsl';

/** Why the CPU version has to do. */
export type GpuRefusal = NoGpu | 'too-large';

export interface GpuWork {
  addresses: Uint32Array;
  /** M. */
  distinct: number;
  st: number;
  nb: number;
}

export interface GpuFound {
  /** Accesses by distance, without immediate repeats and first references. */
  histogram: Uint32Array;
  /** Σ count. */
  count: number;
  /** Name of the adapter, as far as the browser tells. */
  adapter: string;
  ms: number;
}

/** References that are on the device at a time, unless one block has more. */
const FRAGMENT = 1 << 20;
/** Words of local arrays that one dispatch may look at per thread: longer ones could make the system think the GPU hangs. */
const WORDS_PER_DISPATCH = 1 << 19;
const WORD = 4;
/** Flags of the WebGPU standard; its global names exist only where WebGPU does. */
const USAGE = { mapRead: 0x1, copySrc: 0x4, copyDst: 0x8, uniform: 0x40, storage: 0x80 };
const MAP_READ = 0x1;

const STEPS = ['analyse', 'look_back', 'join_threads', 'join_blocks', 'next_block'] as const;
type StepName = (typeof STEPS)[number];
type Steps = Record<StepName, { pipeline: GPUComputePipeline; group: GPUBindGroup }>;

/** How a trace is cut; pure, so that it can be checked without a GPU. */
export function cut(references: number, st: number, nb: number) {
  const trace = Math.min(st, Math.max(1, references));
  const block = Math.max(1, Math.min(trace * nb, references));
  const fragment = Math.max(block, Math.floor(FRAGMENT / block) * block);
  const words = Math.ceil(trace / 32);
  return {
    trace,
    block,
    fragment: Math.min(fragment, Math.max(1, references)),
    words,
    chunk: Math.max(32, Math.floor(WORDS_PER_DISPATCH / words)),
  };
}

/** Words of the largest buffer that the work needs. */
export function largestBuffer(references: number, distinct: number, fragment: number): number {
  return Math.max(3 * fragment, references + 1, 2 * (distinct + 1));
}

export async function hpRdaOnGpu(
  work: GpuWork,
  onProgress: (done: number, total: number) => void,
  cancelled: () => boolean,
): Promise<GpuFound | null> {
  const adapter = await findAdapter();
  return withDevice(adapter, { requiredLimits: limitsFor(work, adapter) }, async (device) => {
    const began = performance.now();
    const found = await new Job(device, work).run(onProgress, cancelled);
    const { vendor, architecture, description } = adapter.info;
    const name = description || [vendor, architecture].filter(Boolean).join(' ');
    return found && { ...found, adapter: name, ms: performance.now() - began };
  });
}

/** Limits of the device that the work needs, where the adapter has them. */
function limitsFor({ addresses, distinct, st, nb }: GpuWork, adapter: GPUAdapter) {
  const need = WORD * largestBuffer(addresses.length, distinct, cut(addresses.length, st, nb).fragment);
  const { maxStorageBufferBindingSize, maxBufferSize, maxStorageBuffersPerShaderStage } = adapter.limits;
  if (need > maxStorageBufferBindingSize || need > maxBufferSize || maxStorageBuffersPerShaderStage < 8)
    throw new GpuRefused<GpuRefusal>('too-large');
  return {
    maxStorageBufferBindingSize: Math.max(need, 128 << 20),
    maxBufferSize: Math.max(need, 256 << 20),
  };
}

/** One run on one device. */
class Job {
  readonly #device: GPUDevice;
  readonly #work: GpuWork;
  readonly #cut: ReturnType<typeof cut>;
  readonly #buffers = new Map<number, GPUBuffer>();
  readonly #task: GPUBuffer;

  constructor(device: GPUDevice, work: GpuWork) {
    this.#device = device;
    this.#work = work;
    this.#cut = cut(work.addresses.length, work.st, work.nb);
    const { fragment, trace, block, words } = this.#cut;
    const threads = Math.ceil(fragment / trace);
    const sizes: [number, number][] = [
      [1, fragment],
      [2, 2 * fragment],
      [3, 2 * fragment],
      [4, 2 * fragment],
      [5, 2 * fragment],
      [6, 3 * fragment],
      [7, threads * words],
      [8, threads],
      [9, work.addresses.length + 1],
      [10, 2 * Math.ceil(fragment / block)],
      [11, 2 * (work.distinct + 1)],
    ];
    const usage = USAGE.storage | USAGE.copyDst | USAGE.copySrc;
    for (const [binding, size] of sizes) this.#buffers.set(binding, device.createBuffer({ size: WORD * size, usage }));
    this.#task = device.createBuffer({ size: 8 * WORD, usage: USAGE.uniform | USAGE.copyDst });
  }

  #buffer(binding: number): GPUBuffer {
    return this.#buffers.get(binding)!;
  }

  async #steps(): Promise<Steps> {
    const module = this.#device.createShaderModule({ code });
    const wrong = (await module.getCompilationInfo()).messages.find((message) => message.type === 'error');
    if (wrong) throw new GpuRefused('failed', `shader, line ${wrong.lineNum}: ${wrong.message}`);
    const uses: Record<StepName, number[]> = {
      analyse: [0, 1, 2, 3, 6, 7, 8, 9],
      look_back: [0, 2, 3, 6, 7, 8],
      join_threads: [0, 2, 3, 4, 5, 6, 8, 9, 10],
      join_blocks: [0, 2, 3, 4, 5, 9, 10, 11],
      next_block: [10, 11],
    };
    const made = await Promise.all(
      STEPS.map(async (entryPoint) => {
        const pipeline = await this.#device.createComputePipelineAsync({
          layout: 'auto',
          compute: { module, entryPoint },
        });
        const entries = uses[entryPoint].map((binding) => ({
          binding,
          resource: { buffer: binding === 0 ? this.#task : this.#buffer(binding) },
        }));
        return [
          entryPoint,
          { pipeline, group: this.#device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }) },
        ] as const;
      }),
    );
    return Object.fromEntries(made) as Steps;
  }

  async run(
    onProgress: (done: number, total: number) => void,
    cancelled: () => boolean,
  ): Promise<Pick<GpuFound, 'histogram' | 'count'> | null> {
    const { addresses } = this.#work;
    let steps: Steps;
    try {
      steps = await this.#steps();
    } catch (error) {
      throw error instanceof GpuRefused ? error : new GpuRefused('failed', String(error));
    }
    let count = 0;
    for (let at = 0; at < addresses.length; at += this.#cut.fragment) {
      const refs = Math.min(this.#cut.fragment, addresses.length - at);
      this.#device.queue.writeBuffer(this.#buffer(1), 0, addresses, at, refs);
      if (!(await this.#fragment(steps, refs, cancelled))) return null;
      const threads = Math.ceil(refs / this.#cut.trace);
      count += (await this.#read(8, threads)).reduce((sum, n) => sum + n, 0);
      onProgress(at + refs, addresses.length);
    }
    return { histogram: await this.#read(9, addresses.length + 1), count };
  }

  /** Steps 3 and 4 of what was written to the device; false when cancelled. */
  async #fragment(steps: Steps, refs: number, cancelled: () => boolean): Promise<boolean> {
    const { queue } = this.#device;
    const { trace, block, words, chunk } = this.#cut;
    const threads = Math.ceil(refs / trace);
    const blocks = Math.ceil(refs / block);
    const submit = (clear: number[], passes: [StepName, number][]) => {
      const encoder = this.#device.createCommandEncoder();
      for (const binding of clear) encoder.clearBuffer(this.#buffer(binding));
      const pass = encoder.beginComputePass();
      for (const [name, groups] of passes) {
        pass.setPipeline(steps[name].pipeline);
        pass.setBindGroup(0, steps[name].group);
        pass.dispatchWorkgroups(Math.min(65_535, groups));
      }
      pass.end();
      queue.submit([encoder.finish()]);
    };
    const task = (from: number, until: number) =>
      queue.writeBuffer(
        this.#task,
        0,
        new Uint32Array([trace, this.#threadsPerBlock(), refs, threads, words, from, until, 0]),
      );
    // The number of the block within the fragment begins anew.
    queue.writeBuffer(this.#buffer(11), WORD, new Uint32Array([0]));
    submit([2, 7, 8, 10], []);
    for (const name of ['analyse', 'look_back'] as const) {
      for (let from = 0; from < trace; from += chunk) {
        task(from, from + chunk);
        submit([], [[name, Math.ceil(threads / 64)]]);
        await queue.onSubmittedWorkDone();
        if (cancelled()) return false;
      }
    }
    submit([2], [['join_threads', blocks]]);
    await queue.onSubmittedWorkDone();
    const most = 256;
    for (let done = 0; done < blocks; done += most) {
      const one: [StepName, number][] = [
        ['join_blocks', Math.ceil((2 * block) / 256)],
        ['next_block', 1],
      ];
      submit([], Array.from({ length: Math.min(most, blocks - done) }, () => one).flat());
      await queue.onSubmittedWorkDone();
      if (cancelled()) return false;
    }
    return true;
  }

  /** A block that is the whole trace may have fewer threads than asked for. */
  #threadsPerBlock(): number {
    return Math.ceil(this.#cut.block / this.#cut.trace);
  }

  async #read(binding: number, words: number): Promise<Uint32Array> {
    const size = WORD * words;
    const copy = this.#device.createBuffer({ size, usage: USAGE.mapRead | USAGE.copyDst });
    const encoder = this.#device.createCommandEncoder();
    encoder.copyBufferToBuffer(this.#buffer(binding), 0, copy, 0, size);
    this.#device.queue.submit([encoder.finish()]);
    await copy.mapAsync(MAP_READ);
    const words32 = new Uint32Array(copy.getMappedRange().slice(0));
    copy.destroy();
    return words32;
  }
}
