// The page's side of the Learn tab's worker.

import * as Comlink from 'comlink';
import { EngineWorker } from '../engine-worker';
import type { ExerciseView, GivenAnswer, ExerciseVerdict as Verdict, Words } from '../generated';
import type { OnProgress } from '../protocol';
import type { Opened } from './protocol';

const remote = new EngineWorker('course');

export const ask = remote.call.bind(remote);
export const cancel = () => remote.cancel();

export const open = (of: Opened, onProgress: OnProgress): Promise<ExerciseView | null> =>
  remote.job((r) => r.open(of, Comlink.proxy(onProgress)) as Promise<ExerciseView | null>);
export const check = (of: Opened, given: GivenAnswer, onProgress: OnProgress): Promise<Verdict | null> =>
  remote.job((r) => r.check(of, given, Comlink.proxy(onProgress)) as Promise<Verdict | null>);
export const solve = (of: Opened, onProgress: OnProgress): Promise<Words | null> =>
  remote.job((r) => r.solve(of, Comlink.proxy(onProgress)) as Promise<Words | null>);
