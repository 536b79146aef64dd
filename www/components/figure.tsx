// A chart of the last report, drawn by the Cache tab's engine.

import type { ComponentChildren } from 'preact';
import { firstFigure } from '../app/first';
import { comparing } from '../app/baseline';
import { engine, held } from '../app/session';
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
  const holder = shown?.generation ?? null;
  const gone = holder !== null && holder !== generation.value;
  const base = comparing.value?.figure(kind);
  const drawnWith = async (width: number, dark: boolean) => {
    await held();
    return engine.figure(kernel, kind, width, dark, base?.numbers);
  };
  const drawn = (width: number, dark: boolean) =>
    holder === null ? firstFigure(kind, width, dark) : engine.figure(kernel, kind, width, dark);
  const draw = gone ? null : base ? drawnWith : drawn;
  return (
    <>
      {base && <p class="quiet">{base.legend}</p>}
      <Drawing
        draw={draw}
        of={[shown, kernel, kind, base && comparing.value?.beside.kernel]}
        name={kind}
        label={base ? `${label} ${base.legend}` : label}
        table={table}
      />
    </>
  );
}
