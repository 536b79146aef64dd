// What the page and the worker of the Topology tab say to each other. `null` stands for "cancelled".

import type { OnProgress } from '../protocol';
import type {
  Curve,
  Difference,
  Discovered,
  Experiment,
  Guess,
  Hidden,
  Machine,
  MachineLevels,
  Measured,
  Outcome,
  Reduction,
  TopologyFigure,
  TopologyView,
} from './types';
import type { Look } from '../types';

export interface TopologyService {
  preset(id: string): TopologyView;
  read(name: string, text: string): TopologyView;
  compare(first: string, second: string): Difference[];
  open(files: File[], onProgress: OnProgress): Promise<Measured | null>;
  curves(reduction: Reduction, alpha: number): Curve[];
  hide(hidden: Hidden): string[];
  discover(onProgress: OnProgress): Promise<Discovered | null>;
  experiment(experiment: Experiment, onProgress: OnProgress): Promise<Outcome | null>;
  score(guess: Guess): Discovered;
  levels(which: 0 | 1, sizes: number[], times: number[][], perOctave: number): MachineLevels;
  machine(machine: Machine): TopologyView;
  figure(kind: TopologyFigure, of: string, look: Look): string;
  cancel(): void;
}
