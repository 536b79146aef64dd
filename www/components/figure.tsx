// A chart of the last report, drawn by the Cache tab's engine.

import type { ComponentChildren } from 'preact';
import { firstFigure } from '../app/first';
import { engine } from '../app/session';
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
  const held = shown?.generation ?? null;
  const gone = held !== null && held !== generation.value;
  const drawn = (look: Look) =>
    held === null ? firstFigure(kind, look) : engine.figure(kernel, part ? `part.${kind}` : kind, look);
  const draw = gone ? null : drawn;
  return (
    <Drawing draw={draw} of={[shown, kernel, kind, part]} name={kind} label={label} onPick={onPick} table={table} />
  );
}
