// The worker that measures this machine and nothing else. It ends after every measurement.

import { Chains, TopologyLab } from '../../../pkg/engine/warpscope';
import { breathe } from '../pace';
import type { OnProgress } from '../protocol';
import { COARSEST_MS, tickOf } from './clock';
import { CpuChase, pairBytes, PER_OCTAVE, type Chains as ChainsOf } from './cpu-chase';
import { GpuRefused } from '../web-gpu';
import { chaseGpu, type GpuRefusal, type GpuRequest } from './gpu-chase';
import type { CpuOutcome, GpuOutcome, MachineService } from './machine';
import type { MachineLevels } from './types';

const chains: ChainsOf = Chains;
const now = () => performance.now();

export class MachineChase implements MachineService {
  #cancelled = false;
  readonly #isCancelled = () => this.#cancelled;

  async cpu(quick: boolean, onProgress: OnProgress): Promise<CpuOutcome | null> {
    const began = now();
    const tick = tickOf(now);
    const none: CpuOutcome = {
      tick,
      refused: 'clock',
      sizes: [],
      times: [],
      perOctave: PER_OCTAVE,
      extended: false,
      levels: null,
      votes: [],
      line: 0,
      bytes: 0,
      seconds: 0,
    };
    if (!(tick <= COARSEST_MS)) return none;
    let chase: CpuChase;
    try {
      chase = new CpuChase({ now, chains, breathe, cancelled: this.#isCancelled, onProgress }, tick);
    } catch {
      return { ...none, refused: 'memory' };
    }
    const curve = await chase.curve(quick);
    if (!curve) return null;
    const levels = levelsOf(0, curve.sizes, curve.times, PER_OCTAVE);
    const lines = await chase.line(pairBytes(levels.boundaries));
    if (!lines) return null;
    return { ...none, ...curve, ...lines, refused: null, levels, bytes: chase.bytes, seconds: (now() - began) / 1000 };
  }

  async gpu(request: GpuRequest, onProgress: OnProgress): Promise<GpuOutcome | null> {
    const began = now();
    try {
      const found = await chaseGpu(request, chains, onProgress, this.#isCancelled);
      if (!found) return null;
      const levels = levelsOf(1, found.sizes, found.times, found.perOctave);
      return { ...found, refused: null, levels, seconds: (now() - began) / 1000 };
    } catch (error) {
      if (error instanceof GpuRefused) return { refused: (error as GpuRefused<GpuRefusal>).why, detail: error.message };
      return { refused: 'failed', detail: String(error) };
    }
  }

  cancel() {
    this.#cancelled = true;
  }
}

function levelsOf(which: number, sizes: number[], times: number[][], perOctave: number): MachineLevels {
  const lab = new TopologyLab();
  const found = lab.levels(which, Float64Array.from(sizes), Float64Array.from(times.flat()), perOctave);
  lab.free();
  return found;
}
