// The service of the Topology tab: files, hidden GPUs, figures.

import { type FileStream, TopologyLab } from '../../../pkg/engine/warpscope';
import { breathe } from '../pace';
import type { OnProgress } from '../protocol';
import { Cancels } from '../cancels';
import { inSteps, sparingly, streamFiles } from '../steps';
import type { TopologyService } from './protocol';
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

const FIRST_LOADS = 200_000;

export class Topologies implements TopologyService {
  readonly #lab = new TopologyLab();
  readonly #cancels = new Cancels();

  preset(id: string): TopologyView {
    return this.#lab.preset(id);
  }

  read(name: string, text: string): TopologyView {
    return this.#lab.read(name, text);
  }

  compare(first: string, second: string): Difference[] {
    return this.#lab.compare(first, second);
  }

  async open(files: File[], onProgress: OnProgress): Promise<Measured | null> {
    const isCancelled = this.#cancels.begin();
    const lab = this.#lab;
    lab.clear_files();
    const to = {
      begin: ({ name }: File) => lab.begin_file(name),
      take: (stream: FileStream) => lab.take(stream),
      end: () => {},
    };
    if (!(await streamFiles(files, to, onProgress, isCancelled))) return null;
    return lab.finish_files();
  }

  curves(reduction: Reduction, alpha: number): Curve[] {
    return this.#lab.curves(reduction, alpha);
  }

  hide(hidden: Hidden): string[] {
    return this.#lab.hide(hidden);
  }

  /** The page's own experiments; each step is one cache, however long it takes. */
  async discover(onProgress: OnProgress): Promise<Discovered | null> {
    const isCancelled = this.#cancels.begin();
    const say = sparingly(onProgress);
    for (;;) {
      const { done, total, outcome } = this.#lab.discover();
      if (outcome) return outcome;
      say(done, total);
      await breathe();
      if (isCancelled()) return null;
    }
  }

  async experiment(experiment: Experiment, onProgress: OnProgress): Promise<Outcome | null> {
    const isCancelled = this.#cancels.begin();
    const lab = this.#lab;
    const begun = lab.experiment(experiment);
    if (begun.outcome) return begun.outcome;
    const step = (budget: number) => {
      const { done, total, outcome } = lab.experiment_step(budget);
      return { done, total, value: outcome };
    };
    return (await inSteps(FIRST_LOADS, step, onProgress, isCancelled))?.value ?? null;
  }

  score(guess: Guess): Discovered {
    return this.#lab.score(guess);
  }

  levels(which: 0 | 1, sizes: number[], times: number[][], perOctave: number): MachineLevels {
    return this.#lab.levels(which, Float64Array.from(sizes), Float64Array.from(times.flat()), perOctave);
  }

  machine(machine: Machine): TopologyView {
    return this.#lab.machine(machine);
  }

  figure(kind: TopologyFigure, of: string, look: Look): string {
    return this.#lab.figure(kind, of, look);
  }

  cancel() {
    this.#cancels.cancel();
  }
}
