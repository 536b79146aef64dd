// A chart of the last report, drawn by the Cache tab's engine.

import type { ComponentChildren } from 'preact';
import { firstFigure } from '../app/first';
import { comparing } from '../app/baseline';
import { engine, held } from '../app/session';
import { generation, result } from '../app/store';
import type { FigureKind, Look } from '../engine/types';
import { Drawing } from './drawing';

interface Props {
  kind: FigureKind;
  kernel: number;
  /** The chart's main facts, for people who do not see it. */
  label: string;
  /** Draws what was counted of a part. */
  part?: unknown;
  onPick?: (name: string) => void;
  table: ComponentChildren;
}

export function Figure({ kind, kernel, label, part, onPick, table }: Props) {
  const shown = result.value;
  const holder = shown?.generation ?? null;
  const gone = holder !== null && holder !== generation.value;
  // A part of the requests has no baseline.
  const base = part ? undefined : comparing.value?.figure(kind);
  const drawnWith = async (look: Look) => {
    await held();
    return engine.figure(kernel, kind, look, base?.numbers);
  };
  const drawn = (look: Look) =>
    holder === null ? firstFigure(kind, look) : engine.figure(kernel, part ? `part.${kind}` : kind, look);
  const draw = gone ? null : base ? drawnWith : drawn;
  return (
    <>
      {base && <p class="quiet">{base.legend}</p>}
      <Drawing
        draw={draw}
        of={[shown, kernel, kind, part, base && comparing.value?.beside.kernel]}
        name={kind}
        label={base ? `${label} ${base.legend}` : label}
        onPick={onPick}
        table={table}
      />
    </>
  );
}
