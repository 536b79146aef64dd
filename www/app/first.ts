// What was made with the page, by the engine that it ships: the first screen needs no engine.

import made from '../../pkg/first/first.json';
import type { KernelRun } from '../engine/scenario/cuda';
import type { ExampleInfo, FigureKind, Intake, Look, Parameter, PresetInfo, Report } from '../engine/types';

interface First {
  library: ExampleInfo[];
  /** The GPU of the run, an id of `presets`. */
  gpu: string;
  presets: PresetInfo[];
  parameters: Parameter[];
  intake: Intake;
  text: KernelRun;
  /** Bytes that the run is estimated to take. */
  estimate: number;
  report: Report;
  /** Hash of the link that reproduces it. */
  link: string;
}

/** The library's first kernel on a GPU that many people have, with all defaults. */
export const first = made as unknown as First;

/** Its charts, SVG by kind and width. */
type Figures = Partial<Record<FigureKind, Record<string, string>>>;

const figures = {
  light: () => import(/* webpackChunkName: 'drawings-light' */ '../../pkg/first/light.json'),
  dark: () => import(/* webpackChunkName: 'drawings-dark' */ '../../pkg/first/dark.json'),
};

/** A chart of it; of the widths that were drawn, the one nearest to `width`. */
export async function firstFigure(kind: FigureKind, { width, dark }: Look): Promise<string> {
  const { default: all } = await figures[dark ? 'dark' : 'light']();
  const drawn = Object.entries((all as Figures)[kind] ?? {});
  const distance = (at: string) => Math.abs(Number(at) - width);
  drawn.sort(([a], [b]) => distance(a) - distance(b));
  return drawn[0]?.[1] ?? '';
}
