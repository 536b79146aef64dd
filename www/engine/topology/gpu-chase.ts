// The GPU's curve through WebGPU: dependent loads in a compute shader. Clock: timestamp queries where there are any, else
// the wall clock of `onSubmittedWorkDone`, else none, which is said. Every dispatch is short, because a system resets a
// GPU that does not answer for two seconds.

import { findAdapter, GpuRefused, withDevice, type NoGpu } from '../web-gpu';
import { grid, STRIDE, type Chains } from './cpu-chase';
import {
  GPU_UNROLLED,
  isSoftware,
  LANES,
  loadsWithin,
  MARKS,
  middle,
  ROW,
  shader,
  UNIFORM_BYTES,
  WAYS,
  type Lanes,
  type Way,
} from './gpu-shader';

export type GpuClock = 'timestamps' | 'wall';
export type GpuRefusal = NoGpu | 'too-small' | 'no-clock' | 'wrong-walk';

export interface GpuRequest {
  way: Way;
  lanes: Lanes;
  quick: boolean;
}

/** A walk that was checked link by link. */
export interface Visit {
  way: Way;
  lanes: Lanes;
  visited: number;
  of: number;
}

export interface GpuCurve {
  adapter: string;
  vendor: string;
  software: boolean;
  clock: GpuClock;
  perOctave: number;
  sizes: number[];
  /** One list per repetition, nanoseconds per load. */
  times: number[][];
  visits: Visit[];
  /** The longest dispatch that was timed, milliseconds. */
  longestMs: number;
}

// The flags of the WebGPU standard; TypeScript's library has their types but not their values.
const USE = { MAP_READ: 1, COPY_SRC: 4, COPY_DST: 8, UNIFORM: 64, STORAGE: 128, QUERY_RESOLVE: 512 };
const TEXTURE = { COPY_DST: 2, TEXTURE_BINDING: 4 };
const MAP_READ = 1;

/** Longest dispatch, milliseconds. */
const MOST_MS = 200;
/** Dispatches are planned to stay well below it: an array that leaves a cache is several times slower than the one before. */
const PLANNED_MS = 50;
/** Loads of the first dispatch on an array, which says how fast it is. */
const FIRST_LOADS = 2 ** 14;
const TIMED_LOADS = 2 ** 16;
const WALL_LOADS = 2 ** 18;
const PER_OCTAVE = { full: 4, quick: 2 };
const LAST = { full: 64 * 2 ** 20, quick: 8 * 2 ** 20 };
const REPETITIONS = { full: 5, quick: 3 };
/** Links of the chain that is checked. */
const CHECKED = 256;
/** Slopes that scatter more than this around their median are no clock. */
const SCATTER = 0.5;

type Progress = (done: number, total: number) => void;

export async function chaseGpu(
  request: GpuRequest,
  chains: Chains,
  onProgress: Progress,
  cancelled: () => boolean,
): Promise<GpuCurve | null> {
  const adapter = await findAdapter();
  const timed = adapter.features.has('timestamp-query');
  return withDevice(adapter, { requiredFeatures: timed ? ['timestamp-query'] : [] }, async (device) => {
    const { vendor, architecture, description, device: name } = adapter.info;
    const software = isSoftware(adapter.info);
    const found = await new Chase(device, chains, timed, software).run(request, onProgress, cancelled);
    return (
      found && {
        ...found,
        adapter: description || name || [vendor, architecture].filter(Boolean).join(' ') || 'GPU',
        vendor,
        software,
      }
    );
  });
}

interface Walker {
  pipeline: GPUComputePipeline;
  group: GPUBindGroup;
}

class Chase {
  readonly #device: GPUDevice;
  readonly #chains: Chains;
  readonly #task: GPUBuffer;
  readonly #result: GPUBuffer;
  readonly #read: GPUBuffer;
  readonly #software: boolean;
  #clock: GpuClock;
  #stamps: { set: GPUQuerySet; resolved: GPUBuffer; read: GPUBuffer } | null = null;
  #longestMs = 0;

  constructor(device: GPUDevice, chains: Chains, timed: boolean, software: boolean) {
    this.#device = device;
    this.#software = software;
    this.#chains = chains;
    this.#clock = timed ? 'timestamps' : 'wall';
    const size = 4 * (MARKS + CHECKED);
    this.#task = device.createBuffer({ size: 16, usage: USE.UNIFORM | USE.COPY_DST });
    this.#result = device.createBuffer({ size, usage: USE.STORAGE | USE.COPY_SRC | USE.COPY_DST });
    this.#read = device.createBuffer({ size, usage: USE.MAP_READ | USE.COPY_DST });
    if (timed) {
      const resolved = device.createBuffer({ size: 16, usage: USE.QUERY_RESOLVE | USE.COPY_SRC });
      const read = device.createBuffer({ size: 16, usage: USE.MAP_READ | USE.COPY_DST });
      this.#stamps = { set: device.createQuerySet({ type: 'timestamp', count: 2 }), resolved, read };
    }
  }

  async run({ way, lanes, quick }: GpuRequest, onProgress: Progress, cancelled: () => boolean) {
    const mode = quick ? 'quick' : 'full';
    const last = way === 'uniform' ? UNIFORM_BYTES : Math.min(LAST[mode], this.#most(way));
    const perOctave = way === 'uniform' ? 8 : PER_OCTAVE[mode];
    const sizes = grid(way === 'uniform' ? 1024 : 4096, last, perOctave, STRIDE);
    if (sizes.length < 2 * perOctave) throw new GpuRefused<GpuRefusal>('too-small');
    const visits = await this.#visits();
    const memory = this.#memory(way, last);
    const walker = await this.#walker(way, lanes, false, memory);
    const times = Array.from({ length: REPETITIONS[mode] }, () => new Array<number>(sizes.length).fill(NaN));
    let ns = await this.#estimate(walker, memory, sizes[0]!);
    for (const [i, size] of sizes.entries()) {
      const walk = new Walk(this.#chains.local(size, STRIDE, i));
      this.#lay(memory, walk.order, size);
      const slopes = await this.#slopes(walker, walk, ns, times.length, cancelled);
      if (!slopes) return null;
      slopes.forEach((slope, k) => (times[k]![i] = slope));
      ns = Math.max(0.05, middle(slopes.filter((slope) => slope > 0)).median || ns);
      // A program that plays a GPU is no measurement whatever its clock says.
      if (i === 0 && !this.#software && !steady(slopes)) await this.#otherClock(walker, walk, ns, times, cancelled);
      onProgress(i + 1, sizes.length);
      if (cancelled()) return null;
    }
    return { clock: this.#clock, perOctave, sizes, times, visits, longestMs: this.#longestMs };
  }

  /** Timestamps that tell nothing give way to the wall clock; a wall clock that tells nothing ends it. */
  async #otherClock(walker: Walker, walk: Walk, ns: number, times: number[][], cancelled: () => boolean) {
    if (this.#clock === 'wall') throw new GpuRefused<GpuRefusal>('no-clock');
    this.#clock = 'wall';
    const slopes = await this.#slopes(walker, walk, ns, times.length, cancelled);
    if (!slopes) return;
    if (!steady(slopes)) throw new GpuRefused<GpuRefusal>('no-clock');
    slopes.forEach((slope, k) => (times[k]![0] = slope));
  }

  #most(way: Way): number {
    const { maxStorageBufferBindingSize, maxTextureDimension2D } = this.#device.limits;
    return way === 'texture' ? 4 * ROW * maxTextureDimension2D : maxStorageBufferBindingSize;
  }

  #memory(way: Way, bytes: number): GPUBuffer | GPUTexture {
    if (way === 'texture') {
      const height = Math.ceil(bytes / 4 / ROW);
      return this.#device.createTexture({
        size: [ROW, height],
        format: 'r32uint',
        usage: TEXTURE.TEXTURE_BINDING | TEXTURE.COPY_DST,
      });
    }
    const usage = way === 'uniform' ? USE.UNIFORM : USE.STORAGE;
    return this.#device.createBuffer({ size: way === 'uniform' ? UNIFORM_BYTES : bytes, usage: usage | USE.COPY_DST });
  }

  async #walker(way: Way, lanes: Lanes, visit: boolean, memory: GPUBuffer | GPUTexture): Promise<Walker> {
    const module = this.#device.createShaderModule({ code: shader(way, lanes, visit) });
    let pipeline: GPUComputePipeline;
    try {
      pipeline = await this.#device.createComputePipelineAsync({
        layout: 'auto',
        compute: { module, entryPoint: 'walk' },
      });
    } catch (error) {
      throw new GpuRefused('failed', String(error));
    }
    const chain = 'createView' in memory ? memory.createView() : { buffer: memory };
    const group = this.#device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [
        { binding: 0, resource: chain },
        { binding: 1, resource: { buffer: this.#task } },
        { binding: 2, resource: { buffer: this.#result } },
      ],
    });
    return { pipeline, group };
  }

  /** Lays the chain: every link holds the number of the next link's word. */
  #lay(memory: GPUBuffer | GPUTexture, order: Uint32Array, bytes: number) {
    const words = new Uint32Array(Math.ceil(bytes / 4 / ROW) * ROW);
    for (let k = 0; k < order.length; k++) words[order[k]! >> 2] = order[(k + 1) % order.length]! >> 2;
    if ('createView' in memory) {
      this.#device.queue.writeTexture({ texture: memory }, words, { bytesPerRow: 4 * ROW }, [ROW, words.length / ROW]);
    } else {
      this.#device.queue.writeBuffer(memory, 0, words, 0, Math.min(words.length, memory.size / 4));
    }
  }

  /** One dispatch; gives its time by timestamps, or null. */
  async #dispatch(walker: Walker, loads: number, start: number, stamped: boolean): Promise<number | null> {
    this.#device.queue.writeBuffer(this.#task, 0, new Uint32Array([loads, start, 0, 0]));
    const encoder = this.#device.createCommandEncoder();
    const stamps = stamped ? this.#stamps : null;
    const timestampWrites = stamps && { querySet: stamps.set, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
    const pass = encoder.beginComputePass(timestampWrites ? { timestampWrites } : {});
    pass.setPipeline(walker.pipeline);
    pass.setBindGroup(0, walker.group);
    pass.dispatchWorkgroups(1);
    pass.end();
    if (stamps) {
      encoder.resolveQuerySet(stamps.set, 0, 2, stamps.resolved, 0);
      encoder.copyBufferToBuffer(stamps.resolved, 0, stamps.read, 0, 16);
    }
    this.#device.queue.submit([encoder.finish()]);
    if (!stamps) return null;
    await stamps.read.mapAsync(MAP_READ);
    const [began, ended] = new BigUint64Array(stamps.read.getMappedRange());
    const ns = Number(ended! - began!);
    stamps.read.unmap();
    return ns;
  }

  async #results(words: number): Promise<Uint32Array> {
    const encoder = this.#device.createCommandEncoder();
    encoder.copyBufferToBuffer(this.#result, 0, this.#read, 0, 4 * words);
    this.#device.queue.submit([encoder.finish()]);
    await this.#read.mapAsync(MAP_READ, 0, 4 * words);
    const found = new Uint32Array(this.#read.getMappedRange(0, 4 * words).slice(0));
    this.#read.unmap();
    return found;
  }

  /** Walks a small chain by every way and counts the links that were visited exactly once before the walk was back. */
  async #visits(): Promise<Visit[]> {
    const out: Visit[] = [];
    const order = this.#chains.local(CHECKED * STRIDE, STRIDE, 1);
    for (const way of WAYS) {
      for (const lanes of LANES) {
        const memory = this.#memory(way, CHECKED * STRIDE);
        this.#lay(memory, order, CHECKED * STRIDE);
        const walker = await this.#walker(way, lanes, true, memory);
        this.#device.queue.writeBuffer(this.#result, 0, new Uint32Array(MARKS + CHECKED));
        await this.#dispatch(walker, CHECKED, order[0]! >> 2, false);
        const found = await this.#results(MARKS + CHECKED);
        const back = found.slice(64, 64 + lanes).every((place) => place === order[0]! >> 2);
        const once = found.slice(MARKS).filter((count) => count === 1).length;
        out.push({ way, lanes, visited: back ? once : 0, of: CHECKED });
        memory.destroy();
      }
    }
    this.#device.queue.writeBuffer(this.#result, 0, new Uint32Array(MARKS + CHECKED));
    if (out.some((visit) => visit.visited !== visit.of))
      throw new GpuRefused<GpuRefusal>('wrong-walk', JSON.stringify(out));
    return out;
  }

  /** A first idea of the time per load, by a walk that is short on any GPU. */
  async #estimate(walker: Walker, memory: GPUBuffer | GPUTexture, bytes: number): Promise<number> {
    const walk = new Walk(this.#chains.local(bytes, STRIDE, 0));
    this.#lay(memory, walk.order, bytes);
    await this.#wall(walker, walk, 1024);
    let loads = 4096;
    let ms = await this.#wall(walker, walk, loads);
    // Dispatching itself takes a moment: only a walk that takes longer says something.
    while (ms < 20 && loads < 2 ** 20) {
      loads *= 2;
      ms = await this.#wall(walker, walk, loads);
    }
    return (ms * 1e6) / loads;
  }

  /** Milliseconds of one dispatch by the wall clock. */
  async #wall(walker: Walker, walk: Walk, loads: number): Promise<number> {
    const began = performance.now();
    await this.#dispatch(walker, loads, walk.on(loads), false);
    await this.#device.queue.onSubmittedWorkDone();
    const ms = performance.now() - began;
    this.#longestMs = Math.max(this.#longestMs, ms);
    return ms;
  }

  /** Slopes between a short and a long walk, nanoseconds per load; null when cancelled. */
  async #slopes(
    walker: Walker,
    walk: Walk,
    ns: number,
    count: number,
    cancelled: () => boolean,
  ): Promise<number[] | null> {
    const lap = whole(walk.order.length);
    // What is once in an outer cache stays there from dispatch to dispatch; an inner one needs the lap in the same dispatch.
    let most = Math.min(FIRST_LOADS, loadsWithin(PLANNED_MS, ns));
    for (let warmed = 0; warmed < lap;) {
      const loads = Math.min(most, lap - warmed);
      const took = await this.#wall(walker, walk, loads);
      warmed += loads;
      // With what dispatching costs, so rather too slow than too fast.
      most = loadsWithin(PLANNED_MS, Math.max(ns, (took * 1e6) / loads));
      if (cancelled()) return null;
    }
    const inside = lap <= most / 2 ? lap : 0;
    const wanted = this.#clock === 'wall' ? WALL_LOADS : TIMED_LOADS;
    const loads = Math.max(GPU_UNROLLED, Math.min(wanted, whole((most - inside) / 3)));
    const slopes: number[] = [];
    for (let k = 0; k < count; k++) {
      const short = await this.#time(walker, walk, inside + loads);
      const long = await this.#time(walker, walk, inside + 3 * loads);
      slopes.push((long - short) / (2 * loads));
      if (cancelled()) return null;
    }
    return slopes;
  }

  /** Nanoseconds of one dispatch by the chosen clock. */
  async #time(walker: Walker, walk: Walk, loads: number): Promise<number> {
    const start = walk.on(loads);
    const began = performance.now();
    const stamped = await this.#dispatch(walker, loads, start, this.#clock === 'timestamps');
    if (stamped === null) await this.#device.queue.onSubmittedWorkDone();
    const ns = stamped ?? (performance.now() - began) * 1e6;
    this.#longestMs = Math.max(this.#longestMs, ns / 1e6);
    if (ns / 1e6 > 5 * MOST_MS) throw new GpuRefused('failed', `a dispatch took ${Math.round(ns / 1e6)} ms`);
    return ns;
  }
}

/** Where on a chain a walk stands: every dispatch goes on from the last, or a part of a long array would be walked again. */
class Walk {
  #place = 0;

  constructor(readonly order: Uint32Array) {}

  /** The word to start at, for a walk of `loads`. */
  on(loads: number): number {
    const start = this.order[this.#place]! >> 2;
    this.#place = (this.#place + loads) % this.order.length;
    return start;
  }
}

/** Slopes that a clock gives: positive, and near each other. */
function steady(slopes: number[]): boolean {
  const { median, spread } = middle(slopes);
  return median > 0 && spread <= SCATTER;
}

function whole(loads: number): number {
  return Math.ceil(loads / GPU_UNROLLED) * GPU_UNROLLED;
}
