// What the page and the worker that measures this machine say to each other.

import type { OnProgress } from '../protocol';
import type { GpuCurve, GpuRefusal, GpuRequest } from './gpu-chase';
import type { MachineLevels } from './types';

export interface CpuOutcome {
  /** Step of the clock, milliseconds. */
  tick: number;
  /** Why there is no measurement: the clock is too coarse, or there is no memory. */
  refused: 'clock' | 'memory' | null;
  sizes: number[];
  times: number[][];
  perOctave: number;
  extended: boolean;
  levels: MachineLevels | null;
  votes: number[];
  line: number;
  /** Memory that the chase took, bytes. */
  bytes: number;
  seconds: number;
}

export type GpuOutcome =
  { refused: GpuRefusal; detail: string } | ({ refused: null; levels: MachineLevels; seconds: number } & GpuCurve);

/** `null` stands for "stopped". The worker is ended after every measurement: memory of WebAssembly never shrinks. */
export interface MachineService {
  cpu(quick: boolean, onProgress: OnProgress): Promise<CpuOutcome | null>;
  gpu(request: GpuRequest, onProgress: OnProgress): Promise<GpuOutcome | null>;
  cancel(): void;
}
