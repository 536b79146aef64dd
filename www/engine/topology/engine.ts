// The page's side of the Topology tab's workers: one for topologies, files and hidden GPUs, and one per measurement of
// this machine, which is ended afterwards.

import type { OnProgress } from '../protocol';
import * as Comlink from 'comlink';
import { EngineWorker } from '../engine-worker';
import type { GpuRequest } from './gpu-chase';
import type { CpuOutcome, GpuOutcome } from './machine';
import type { Discovered, Experiment, Measured, Outcome } from './types';

const remote = new EngineWorker('topology');
const machine = new EngineWorker('machine');

/** A short question to the tab's worker. */
export const ask = remote.call.bind(remote);
export const cancel = () => remote.cancel();

export const openFiles = (files: File[], onProgress: OnProgress): Promise<Measured | null> =>
  remote.job((r) => r.open(files, Comlink.proxy(onProgress)));
export const discover = (onProgress: OnProgress): Promise<Discovered | null> =>
  remote.job((r) => r.discover(Comlink.proxy(onProgress)));
export const experiment = (what: Experiment, onProgress: OnProgress): Promise<Outcome | null> =>
  remote.job((r) => r.experiment(what, Comlink.proxy(onProgress)) as Promise<Outcome | null>);

async function measured<T>(run: () => Promise<T | null>): Promise<T | null> {
  try {
    return await run();
  } finally {
    machine.stop(); // its memory goes back to the system only so
  }
}

export const measureCpu = (quick: boolean, onProgress: OnProgress): Promise<CpuOutcome | null> =>
  measured(() => machine.job((r) => r.cpu(quick, Comlink.proxy(onProgress))));
export const measureGpu = (request: GpuRequest, onProgress: OnProgress): Promise<GpuOutcome | null> =>
  measured(() => machine.job((r) => r.gpu(request, Comlink.proxy(onProgress)) as Promise<GpuOutcome | null>));
/** At once, whatever the worker is doing. */
export const stopMeasuring = () => machine.stop();
