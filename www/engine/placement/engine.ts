// The page's side of the Placement tab's workers: the leading one, and one that helps it through a long list of placements.

import * as Comlink from 'comlink';
import type { OnProgress, Source } from '../protocol';
import { EngineWorker } from '../engine-worker';
import { Stretches } from './stretches';
import type { PlaceAsk, PlaceInput, PlacePrepared } from './types';

/** A second worker has to read the input as well: only a search that takes longer than this is worth it. */
const ALONE_MS = 300;

/** Numbers looked at, of how many, and the least time so far. */
export type OnFound = (done: number, total: number, best: number | null) => void;

/** How a search went: to its end, how long it took, and how many workers looked. */
export interface Searched {
  finished: boolean;
  ms: number;
  workers: number;
}

const least = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.min(a, b));

export class PlaceEngine {
  readonly #lead = new EngineWorker('placement');
  readonly #helper = new EngineWorker('placement');
  /** What the leading worker holds, for the helper to hold it as well. */
  #source: Source | null = null;
  #ask: PlaceAsk | null = null;
  #helpersSource: Source | null = null;
  #helpersGeneration = -1;
  #stopped = false;

  /** Which leading worker it is: what an earlier one held is gone. */
  get generation(): number {
    return this.#lead.generation;
  }

  /** A short question to the leading worker. */
  readonly ask: EngineWorker<'placement'>['call'] = (question) => this.#lead.call(question);

  async open(source: Source, onRead: OnProgress, onEmulate: OnProgress): Promise<PlaceInput | null> {
    this.#source = source;
    return this.#lead.job((r) => r.open(source, Comlink.proxy(onRead), Comlink.proxy(onEmulate)));
  }

  /** Makes a kernel ready. The printed model's sample may have to run on the whole GPU first. */
  async prepare(ask: PlaceAsk, onSampled: OnProgress): Promise<PlacePrepared | null> {
    const ready = await this.#lead.job((r) => r.prepare(ask, Comlink.proxy(onSampled)));
    const time = ready?.sample_time;
    // A helper takes the time and does not run the sample again.
    this.#ask = time ? { ...ask, paper: { ...ask.paper, time_us: time.microseconds, simulated: time.simulated } } : ask;
    return ready;
  }

  /** Trains on the model of the whole GPU; null when cancelled. */
  train(ask: PlaceAsk, onTrained: OnProgress) {
    return this.#lead.job((r) => r.train(ask, Comlink.proxy(onTrained)));
  }

  moves(arrays: number) {
    return this.#lead.job((r) => r.moves(arrays));
  }

  /** Runs other changes of the text; false when cancelled. */
  async tryChanges(onTried: OnProgress): Promise<boolean> {
    return (await this.#lead.job((r) => r.change(Comlink.proxy(onTried)))) === true;
  }

  /** Looks for the best placements of what is prepared. */
  async search(prepared: PlacePrepared, onFound: OnFound, onJudged: OnProgress): Promise<Searched> {
    this.#stopped = false;
    const began = performance.now();
    const helping = { done: false };
    let finished =
      prepared.numbers === null
        ? (await this.#lead.job((r) => r.search(Comlink.proxy(onFound)))) === true
        : await this.#all(prepared.numbers, onFound, helping);
    finished &&= (await this.#lead.job((r) => r.judge(Comlink.proxy(onJudged)))) === true;
    return { finished, ms: performance.now() - began, workers: helping.done ? 2 : 1 };
  }

  /** Looks at all `numbers` placements, with help where that pays; false when it was stopped. */
  async #all(numbers: number, onFound: OnFound, helping: { done: boolean }): Promise<boolean> {
    const list = new Stretches(numbers);
    const [mine, others] = [
      { done: 0, best: null as number | null },
      { done: 0, best: null as number | null },
    ];
    const say = (whose: typeof mine) => (done: number, best: number | null) => {
      [whose.done, whose.best] = [done, least(whose.best, best)];
      onFound(mine.done + others.done, list.total, least(mine.best, others.best));
    };
    let helped: Promise<void> = Promise.resolve();
    const began = performance.now();
    const lead = await this.#through(this.#lead, list, false, say(mine), (part) => {
      const took = performance.now() - began;
      if (part === 0 && took * (list.left / Math.max(1, list.total - list.left)) > ALONE_MS)
        helped = this.#help(list, say(others), helping);
    });
    await helped;
    // What a helper that went away had in hand.
    return (
      lead && !this.#stopped && (list.left === 0 || (await this.#through(this.#lead, list, false, say(mine), () => {})))
    );
  }

  /** Takes stretches off the list; false when it was stopped. */
  async #through(
    worker: EngineWorker<'placement'>,
    list: Stretches,
    hand: boolean,
    say: (done: number, best: number | null) => void,
    after: (part: number) => void,
  ): Promise<boolean> {
    let done = 0;
    for (let part = 0; !this.#stopped; part++) {
      const stretch = list.take();
      if (!stretch) return true;
      const onSearch = Comlink.proxy((at: number, _total: number, best: number | null) => say(at, best));
      const found = await worker
        .job((r) => r.stretch(stretch.from, stretch.to, hand, onSearch))
        .catch((error: unknown) => {
          list.giveBack(stretch);
          throw error;
        });
      if (!found) return false;
      if (hand) {
        await this.#lead.call((r) => r.absorb(found.looked, Comlink.transfer(found.found, [found.found.buffer])));
      }
      done += found.looked;
      say(done, found.best);
      if (found.looked < stretch.to - stretch.from) return false;
      after(part);
    }
    return false;
  }

  /** The second worker reads the same input and takes stretches too. Without it the search goes on alone. */
  async #help(
    list: Stretches,
    say: (done: number, best: number | null) => void,
    helping: { done: boolean },
  ): Promise<void> {
    const [source, ask] = [this.#source, this.#ask];
    if (!source || !ask) return;
    try {
      if (this.#helpersSource !== source || this.#helpersGeneration !== this.#helper.generation) {
        this.#helpersSource = null;
        if (
          !(await this.#helper.job((r) =>
            r.open(
              source,
              Comlink.proxy(() => {}),
              Comlink.proxy(() => {}),
            ),
          ))
        )
          return;
        [this.#helpersSource, this.#helpersGeneration] = [source, this.#helper.generation];
      }
      if (
        !(await this.#helper.job((r) =>
          r.prepare(
            ask,
            Comlink.proxy(() => {}),
          ),
        ))
      )
        return;
      await this.#through(this.#helper, list, true, say, () => (helping.done = true));
    } catch {
      this.#helpersSource = null;
    }
  }

  /** Ends both workers; the next call starts others. */
  restart() {
    this.#lead.stop();
    this.#helper.stop();
    this.#helpersSource = null;
  }

  async cancel(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#lead.cancel(), this.#helper.cancel()]);
  }
}
