// The plain data of the Topology tab, as the engine (Rust, in a worker) gives it. Sizes are bytes, times cycles unless a
// name says otherwise.

import type { Reduction } from '../generated';

export type {
  Agreement,
  CacheGuess,
  Curve,
  Difference,
  Discovered,
  Experiment,
  FactRow,
  FoundCache,
  Guess,
  Hidden,
  Machine,
  MachineLevels,
  Measured,
  Measurement,
  Outcome,
  OutlookRow,
  Reduction,
  SharesOutcome,
  TopologyView,
  TrueCache,
  WalkOutcome,
} from '../generated';

export const REDUCTIONS = ['cut', 'distance', 'sliding', 'angle', 'mean', 'rms'] as const satisfies Reduction[];

export type TopologyFigure = 'hierarchy' | 'times' | 'reduced' | 'samples' | 'sweep' | 'levels' | 'walk' | 'shares';
