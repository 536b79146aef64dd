// A worker of the Placement tab: it leads a search or helps with one.

import * as Comlink from 'comlink';
import { answer_fingerprint, type FileStream, PlaceLab } from '../../../pkg/engine/warpscope';
import { breathe } from '../pace';
import type { OnProgress, Source } from '../protocol';
import { Cancels } from '../cancels';
import { beginSource, inSteps, runTexts, streamFiles } from '../steps';
import type { OnSearch, PlaceService, Stretch } from './protocol';
import type {
  ChangeAsk,
  ChangedText,
  DramAnswer,
  DramReveal,
  FlipTimes,
  PlaceAsk,
  PlaceChange,
  PlaceFigure,
  PlaceInput,
  PlaceLook,
  PlacePrepared,
  PlaceRanking,
  PlaceStanding,
  TermBar,
  Trained,
} from './types';
import type { Look } from '../types';

export class Place implements PlaceService {
  #lab = new PlaceLab();
  readonly #cancels = new Cancels();
  /** Numbers that another worker looked at for this one. */
  #absorbed = 0;

  async open(source: Source, onRead: OnProgress, onEmulate: OnProgress): Promise<PlaceInput | null> {
    const isCancelled = this.#cancels.begin();
    this.#lab.free();
    const lab = (this.#lab = new PlaceLab());
    beginSource(lab, source);
    const begin = (file: File, i: number) =>
      lab.begin_file(source.reading?.[i]?.name ?? file.name, source.reading?.[i]?.format ?? undefined);
    const to = { begin, take: (stream: FileStream) => lab.take(stream), end: () => {} };
    if (!(await streamFiles(source.files, to, onRead, isCancelled))) return null;
    if (!(await runTexts(lab, onEmulate, isCancelled))) return null;
    return lab.finish_files();
  }

  async prepare(ask: PlaceAsk, onSampled: OnProgress): Promise<PlacePrepared | null> {
    this.#absorbed = 0;
    const ready = this.#lab.prepare(ask);
    if (ask.model !== 'paper' || ready.sample_time) return ready;
    const isCancelled = this.#cancels.begin();
    const step = (budget: number) => {
      const now = this.#lab.sample(budget);
      return { done: now.done, total: now.total, value: now.finished ? now : null };
    };
    if ((await inSteps(1, step, onSampled, isCancelled)) === null) return null;
    return this.#lab.prepared();
  }

  async train(ask: PlaceAsk, onTrained: OnProgress): Promise<Trained | null> {
    const isCancelled = this.#cancels.begin();
    this.#lab.begin_training(ask);
    const step = (budget: number) => {
      const { done, total, trained } = this.#lab.train(budget);
      return { done, total, value: trained };
    };
    return (await inSteps(1, step, onTrained, isCancelled))?.value ?? null;
  }

  async stretch(from: number, to: number, hand: boolean, onSearch: OnSearch): Promise<Stretch> {
    this.#lab.part(from, to);
    const before = this.#own();
    const now = await this.#steps(onSearch);
    const found = hand ? this.#lab.found() : new Float64Array();
    return Comlink.transfer({ looked: this.#own() - before, found, best: now.best }, [found.buffer]);
  }

  absorb(looked: number, found: Float64Array) {
    this.#lab.absorb(looked, found);
    this.#absorbed += looked;
  }

  async search(onSearch: OnSearch): Promise<boolean> {
    return (await this.#steps(onSearch)).finished;
  }

  /** Numbers that this worker itself looked at. */
  #own(): number {
    return this.#lab.standing().done - this.#absorbed;
  }

  /** Goes on until nothing is left or a cancel comes. */
  async #steps(onSearch: OnSearch): Promise<PlaceStanding> {
    const isCancelled = this.#cancels.begin();
    let now = this.#lab.standing();
    const step = (budget: number) => {
      now = this.#lab.step(budget);
      return { done: now.done - this.#absorbed, total: now.total, value: now.finished ? now : null };
    };
    await inSteps(1, step, (done, total) => onSearch(done, total, now.best), isCancelled);
    return now;
  }

  judge(onJudged: OnProgress): Promise<boolean> {
    return this.#onMachine((budget) => this.#lab.judge(budget), onJudged);
  }

  change(onTried: OnProgress): Promise<boolean> {
    return this.#onMachine((budget) => this.#lab.change(budget), onTried);
  }

  changes(): PlaceChange[] {
    return this.#lab.changes();
  }

  changedText(ask: ChangeAsk): ChangedText {
    return this.#lab.changed_text(ask);
  }

  /** Goes on until nothing is left to run on the whole GPU; false when cancelled. */
  async #onMachine(advance: (budget: number) => PlaceStanding, onRun: OnProgress): Promise<boolean> {
    const isCancelled = this.#cancels.begin();
    const step = (budget: number) => {
      const now = advance(budget);
      return { done: now.done, total: now.total, value: now.finished ? now : null };
    };
    return (await inSteps(1, step, onRun, isCancelled)) !== null;
  }

  ranking(most: number, judge: boolean): PlaceRanking {
    return this.#lab.ranking(most, judge);
  }

  /** By the hash of a text that the engine has: that of the course's answers. */
  fingerprint(text: string): string {
    return answer_fingerprint('placement', text);
  }

  async moves(arrays: number): Promise<(number | null)[][] | null> {
    const isCancelled = this.#cancels.begin();
    const rows: (number | null)[][] = [];
    for (let i = 0; i < arrays; i++) {
      rows.push(this.#lab.moves(i));
      await breathe();
      if (isCancelled()) return null;
    }
    return rows;
  }

  look(placement: string[]): PlaceLook {
    return this.#lab.look(placement);
  }

  reportJson(): string {
    return this.#lab.report_json();
  }

  csv(): string {
    return this.#lab.csv();
  }

  readOverlap(name: string, text: string): Trained {
    return this.#lab.read_overlap(name, text);
  }

  retrain(name: string, csv: string, ask: PlaceAsk): Trained {
    return this.#lab.retrain(name, csv, ask);
  }

  hideMemory(seed: number, hashed: boolean): number[] {
    return this.#lab.hide_memory(seed, hashed);
  }

  flip(together: number | null): FlipTimes {
    return this.#lab.flip(together ?? undefined);
  }

  reveal(answer: DramAnswer): DramReveal {
    return this.#lab.reveal(answer);
  }

  figure(kind: PlaceFigure, bars: TermBar[], look: Look): string {
    return this.#lab.figure(kind, bars, look);
  }

  cancel() {
    this.#cancels.cancel();
  }
}
