// The first lines of the comparison: its answer in a sentence, and what a reader would take for a contradiction.

import { chooseModel } from '../../../app/actions';
import type { Beside } from '../../../app/baseline';
import { busy, type Result } from '../../../app/store';
import {
  concludeMisses,
  concludeTimes,
  noLossOfHits,
  noLossOfMisses,
  type Times,
  timesOf,
} from '../../../content/conclusion';
import { c, type Moved } from '../../../content/compare';
import { marginOf } from '../../../content/margin';
import type { GpuNumbers, KernelReport, Model } from '../../../engine/types';

/** Both kernels of one model. */
export type Pair =
  { of: 'gpu'; before: GpuNumbers; now: GpuNumbers } | { of: 'l1'; before: KernelReport; now: KernelReport };

/** Null between two models. */
export function pairOf(base: Beside, { report }: Result, index: number): Pair | null {
  if (base.model === 'gpu' && report.model === 'gpu') {
    const now = report.kernels[index];
    return now ? { of: 'gpu', before: base.kernel.gpu, now: now.gpu } : null;
  }
  if (base.model === 'gpu' || report.model !== base.model) return null;
  const now = report.kernels[index];
  return now ? { of: 'l1', before: base.kernel, now } : null;
}

export const timesOfPair = (pair: Pair | null, before: Result, shown: Result): Times | null =>
  pair?.of === 'gpu' ? timesOf(pair.before, pair.now, marginOf(before.scenario, shown.scenario)) : null;

interface Props {
  pair: Pair;
  before: Result;
  shown: Result;
  /** The number that moved farthest; null where none that is shown differs. */
  most: Moved | null;
}

export function Answer({ pair, before, shown, most }: Props) {
  const told = !most
    ? { kind: 'same' as const }
    : pair.of === 'gpu'
      ? concludeTimes(pair.before, pair.now, marginOf(before.scenario, shown.scenario))
      : concludeMisses(pair.before, pair.now);
  return (
    <>
      <p class="conclusion" data-testid="conclusion">
        {c.conclusion(told, most)}
      </p>
      <NoLoss pair={pair} />
    </>
  );
}

function NoLoss({ pair }: { pair: Pair }) {
  const fewer = pair.of === 'gpu' ? noLossOfHits(pair.before, pair.now) : noLossOfMisses(pair.before, pair.now);
  if (fewer === null) return null;
  return <p>{pair.of === 'gpu' ? c.noLossOfHits(fewer) : c.noLossOfMisses(fewer)}</p>;
}

/** Two models have few numbers in common. Each of them runs on every GPU, so the run on show can have the baseline's. */
export function OtherModel({ before, now }: { before: Model; now: Model }) {
  return (
    <>
      <p class="conclusion">{c.models(before, now)}</p>
      <p class="buttons">
        <button type="button" disabled={busy.value} onClick={() => void chooseModel(before)}>
          {c.runIn(before)}
        </button>
      </p>
    </>
  );
}
