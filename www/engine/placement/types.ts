// The plain data of placements, as the engine (Rust, in a worker) gives it. Times are SM cycles unless a name says otherwise.

import type { Memory } from '../generated';

export type {
  BankRow,
  BitKind,
  ChangeAsk,
  ChangedText,
  DramAnswer,
  DramReveal,
  DramScore,
  FlipTimes,
  MappingBits,
  Memory,
  PlaceArray,
  PlaceAsk,
  PlaceChange,
  PlaceInput,
  PlaceLine,
  PlaceLook,
  PlacePrepared,
  PlaceRanking,
  PlaceStanding,
  SampleTime,
  TermBar,
  Trained,
} from '../generated';

export const MEMORIES = ['global', 'texture1d', 'texture2d', 'constant', 'shared'] as const satisfies Memory[];
export type Placement = Memory[];

export type PlaceFigure = 'terms' | 'banks' | 'flips';
