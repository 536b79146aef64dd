// A chart of the last report, drawn by the Cache tab's engine.

import type { ComponentChildren } from 'preact';
import { firstFigure } from '../app/first';
import { engine } from '../app/session';
import { generation, result } from '../app/store';
import type { FigureKind } from '../engine/types';
import { Drawing } from './drawing';

interface Props {
  kind: FigureKind;
  kernel: number;
  /** The chart's main facts, for people who do not see it. */
  label: string;
  table: ComponentChildren;
}

export function Figure({ kind, kernel, label, table }: Props) {
  const shown = result.value;
  const held = shown?.generation ?? null;
  const gone = held !== null && held !== generation.value;
  const drawn = (width: number, dark: boolean) =>
    held === null ? firstFigure(kind, width, dark) : engine.figure(kernel, kind, width, dark);
  const draw = gone ? null : drawn;
  return <Drawing draw={draw} of={[shown, kernel, kind]} name={kind} label={label} table={table} />;
}
