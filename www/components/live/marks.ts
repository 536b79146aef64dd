// What the marks of a drawing stand for, which of them a person means, and the part of a long axis that is shown.

/** A mark in px of the drawing. The first line of its text names it, the others are its values. */
export interface Mark {
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** Where on the axis its point is; null: it is an area. */
  at: number | null;
  lines: string[];
}

export interface Marks {
  width: number;
  height: number;
  marks: Mark[];
  /** Ends of a long axis in px, equal where the picture has no axis; null: there is nothing to zoom. */
  axis: [number, number] | null;
}

/** Part of an axis, as shares of the whole. */
export type Range = [number, number];
export const WHOLE: Range = [0, 1];
/** The shortest part that is drawn. */
const LEAST = 1e-5;

const PATH = /^M(-?\d+) (-?\d+)h(\d+)v(\d+)/;

function markOf(path: Element): Mark | null {
  const [, x, y, width, height] = PATH.exec(path.getAttribute('d') ?? '')?.map(Number) ?? [];
  if (x === undefined || y === undefined || width === undefined || height === undefined) return null;
  const at = path.getAttribute('data-at');
  const lines = (path.textContent ?? '').split('\n');
  return { left: x, top: y, right: x + width, bottom: y + height, at: at === null ? null : Number(at), lines };
}

/** Takes the marks out of a drawing: the page shows their texts itself. */
export function takeMarks(svg: SVGElement): Marks {
  const group = svg.querySelector('g.marks');
  group?.remove();
  const [, , width = 1, height = 1] = (svg.getAttribute('viewBox') ?? '').split(' ').map(Number);
  const [from, to] = group?.getAttribute('data-axis')?.split(' ').map(Number) ?? [];
  const marks = [...(group?.children ?? [])].map(markOf).filter((mark) => mark !== null);
  return { width, height, marks, axis: from === undefined || to === undefined ? null : [from, to] };
}

const beyond = (n: number, from: number, to: number) => Math.max(from - n, 0, n - to);

/** The mark under a place, or else the nearest one. Of marks one in another it is the smallest. */
export function nearest(marks: Mark[], x: number, y: number): number | null {
  let best: number | null = null;
  let least: [number, number] = [Infinity, Infinity];
  marks.forEach((mark, i) => {
    const distance = Math.hypot(beyond(x, mark.left, mark.right), beyond(y, mark.top, mark.bottom));
    const area = (mark.right - mark.left) * (mark.bottom - mark.top);
    if (distance < least[0] || (distance === least[0] && area < least[1])) {
      best = i;
      least = [distance, area];
    }
  });
  return best;
}

/** The mark above (−1) or below (1) a mark; null: it is in the last row. */
export function vertical(marks: Mark[], from: number, way: -1 | 1): number | null {
  const here = marks[from];
  if (!here) return null;
  let best: number | null = null;
  let least = Infinity;
  marks.forEach((mark, i) => {
    const away = way > 0 ? mark.top - here.bottom : here.top - mark.bottom;
    const aside = beyond((here.left + here.right) / 2, mark.left, mark.right);
    if (i === from || away < -1 || away + 3 * aside >= least) return;
    best = i;
    least = away + 3 * aside;
  });
  return best;
}

/** A mark of a new drawing that has the name of the old one, or else its place. */
export function sameMark(old: Mark | undefined, marks: Mark[]): number | null {
  if (!old || marks.length === 0) return null;
  const named = marks.findIndex((mark) => mark.lines[0] === old.lines[0]);
  return named >= 0 ? named : nearest(marks, (old.left + old.right) / 2, (old.top + old.bottom) / 2);
}

function within(from: number, length: number): Range {
  const kept = Math.min(1, Math.max(LEAST, length));
  const start = Math.min(1 - kept, Math.max(0, from));
  return [start, start + kept];
}

/** Shows `factor` of what is shown, around a place that is a share of it. */
export function zoomed([from, to]: Range, factor: number, around: number): Range {
  const length = (to - from) * factor;
  return within(from + around * (to - from - length), length);
}

/** Moves what is shown by a share of its length. */
export function panned([from, to]: Range, by: number): Range {
  return within(from + by * (to - from), to - from);
}

/** The part between two shares of what is shown. */
export function between([from, to]: Range, a: number, b: number): Range {
  const [low, high] = [Math.max(0, Math.min(a, b)), Math.min(1, Math.max(a, b))];
  return within(from + low * (to - from), (high - low) * (to - from));
}

export const isWhole = ([from, to]: Range) => from <= 0 && to >= 1;

/** Where on what is shown a place in px is, as a share. */
export function shareOf({ axis }: Marks, x: number): number {
  if (!axis || axis[0] === axis[1]) return 0.5;
  return Math.min(1, Math.max(0, (x - axis[0]) / (axis[1] - axis[0])));
}

/** Where on what is shown a mark is. Where there is no axis, marks count from the first. */
export function shareOfMark(all: Marks, i: number | null): number {
  const mark = i === null ? undefined : all.marks[i];
  if (!mark || i === null) return 0.5;
  if (all.axis && all.axis[0] === all.axis[1]) return (i + 0.5) / all.marks.length;
  return shareOf(all, mark.at ?? (mark.left + mark.right) / 2);
}
