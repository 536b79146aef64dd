// What the page and a worker of the Placement tab say to each other. `null` stands for "cancelled".

import type { OnProgress, Source } from '../protocol';
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
  TermBar,
  Trained,
} from './types';
import type { Look } from '../types';

/** What came of a stretch of numbers: how many were looked at, and where asked for, five numbers for each that is legal. */
export interface Stretch {
  looked: number;
  found: Float64Array;
  best: number | null;
}

/** Done, total, and the least time so far. */
export type OnSearch = (done: number, total: number, best: number | null) => void;

export interface PlaceService {
  /** Reads the files and runs CUDA text; null when cancelled. */
  open(source: Source, onRead: OnProgress, onEmulate: OnProgress): Promise<PlaceInput | null>;
  /** Runs the printed model's sample on the whole GPU if it has no time; null when cancelled. */
  prepare(ask: PlaceAsk, onSampled: OnProgress): Promise<PlacePrepared | null>;
  /** Looks at these numbers; stops early when cancelled. `hand`: another worker is to take what was found. */
  stretch(from: number, to: number, hand: boolean, onSearch: OnSearch): Promise<Stretch>;
  absorb(looked: number, found: Float64Array): void;
  /** Searches a space that is too large to look at as a whole; false when cancelled. */
  search(onSearch: OnSearch): Promise<boolean>;
  /** Runs the best placements of a finished search on the whole GPU; false when cancelled. */
  judge(onJudged: OnProgress): Promise<boolean>;
  /** Runs other changes of the text, after the placements ran; false when cancelled. */
  change(onTried: OnProgress): Promise<boolean>;
  /** Those that ran, the fastest first. */
  changes(): PlaceChange[];
  changedText(ask: ChangeAsk): ChangedText;
  /** `judge`: with chances and ties. */
  ranking(most: number, judge: boolean): PlaceRanking;
  fingerprint(text: string): string;
  /** Times when one array alone moves: by array, by memory. */
  moves(arrays: number): Promise<(number | null)[][] | null>;
  look(placement: string[]): PlaceLook;
  reportJson(): string;
  csv(): string;
  readOverlap(name: string, text: string): Trained;
  retrain(name: string, csv: string, ask: PlaceAsk): Trained;
  /** Trains on the model of the whole GPU; null when cancelled. */
  train(ask: PlaceAsk, onTrained: OnProgress): Promise<Trained | null>;
  hideMemory(seed: number, hashed: boolean): number[];
  flip(together: number | null): FlipTimes;
  reveal(answer: DramAnswer): DramReveal;
  figure(kind: PlaceFigure, bars: TermBar[], look: Look): string;
  cancel(): void;
}
