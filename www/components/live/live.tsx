// A drawing that answers: pointer and keys read the value of a mark, and zoom a long axis.
//
// The reader is a slider over the drawing. Screen readers pass the arrow keys on to a slider and say its value when it
// changes, so the values need no live region.

import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TargetedKeyboardEvent, TargetedMouseEvent, TargetedPointerEvent, TargetedWheelEvent } from 'preact';
import { save } from '../../app/output';
import { confirm } from '../../app/store';
import { live } from '../../content/live';
import {
  between,
  isWhole,
  type Mark,
  type Marks,
  nearest,
  panned,
  type Range,
  sameMark,
  shareOf,
  shareOfMark,
  takeMarks,
  vertical,
  WHOLE,
  zoomed,
} from './marks';
import { colourBehind, pngOf } from './png';
import './live.css';

export { Numbers } from './numbers';

/** What reader and tools of a drawing share. */
export interface Shown {
  /** The marks of the drawing that is shown. */
  all: Signal<Marks | null>;
  /** The mark that is read, counted from 0. */
  at: Signal<number | null>;
  range: Signal<Range>;
}

/** Marks that a zoom leaves at least. */
const FEWEST = 4;
const STEP = 2;
/** Marks that Page Up and Page Down skip. */
const PAGE = 10;
/** The least distance in px of a drag that zooms. */
const DRAG = 8;

function zoomBy({ all, at, range }: Shown, factor: number, around?: number) {
  const marks = all.value;
  if (!marks?.axis || (factor < 1 && marks.marks.length <= FEWEST)) return;
  range.value = zoomed(range.value, factor, around ?? shareOfMark(marks, at.value));
}

interface ReaderProps extends Shown {
  svg: SVGElement;
  label: string;
  /** Takes the name of a mark that a person picked. */
  onPick: ((name: string) => void) | undefined;
}

export function Reader({ svg, label, onPick, ...shown }: ReaderProps) {
  const { all, at } = shown;
  useLayoutEffect(() => {
    const before = at.value === null ? undefined : all.value?.marks[at.value];
    const next = takeMarks(svg);
    all.value = next;
    at.value = sameMark(before, next.marks);
  }, [svg]);
  const marks = all.value;
  return marks && marks.marks.length > 0 ? <Overlay marks={marks} label={label} onPick={onPick} {...shown} /> : null;
}

interface Drag {
  from: number;
  range: Range;
  /** Moves what is shown; otherwise it chooses a part. */
  pans: boolean;
  /** The drawing of the last move: the next move waits for another. */
  seen: Marks;
}

/** What pointers do: they read, choose a part of the axis, or move along it. */
function usePointer(marks: Marks, shown: Shown, onPick: ReaderProps['onPick']) {
  const { at, range } = shown;
  const { axis } = marks;
  const drag = useRef<Drag | null>(null);
  const chosen = useSignal<[number, number] | null>(null);
  const place = (e: TargetedMouseEvent<HTMLElement>): [number, number] => {
    const box = e.currentTarget.getBoundingClientRect();
    const scale = marks.width / box.width;
    return [(e.clientX - box.left) * scale, (e.clientY - box.top) * scale];
  };
  const pan = (from: Drag, x: number) =>
    (range.value = panned(from.range, (from.from - x) / ((axis?.[1] ?? 1) - (axis?.[0] ?? 0))));
  const end = () => {
    const from = drag.current;
    drag.current = null;
    chosen.value = null;
    return from;
  };
  const handlers = {
    onPointerDown: (e: TargetedPointerEvent<HTMLElement>) => {
      const [x, y] = place(e);
      // A finger does not hover: its tap reads. What it drags scrolls the page.
      if (e.pointerType !== 'mouse') at.value = nearest(marks.marks, x, y);
      if (!axis || axis[0] === axis[1] || e.button !== 0 || e.pointerType !== 'mouse') return;
      e.currentTarget.setPointerCapture(e.pointerId);
      drag.current = { from: x, range: range.value, pans: y > floorOf(marks), seen: marks };
    },
    onPointerMove: (e: TargetedPointerEvent<HTMLElement>) => {
      const [x, y] = place(e);
      const from = drag.current;
      if (!from) at.value = nearest(marks.marks, x, y);
      else if (!from.pans) chosen.value = Math.abs(x - from.from) < DRAG ? null : [from.from, x];
      else if (from.seen !== marks) {
        from.seen = marks;
        pan(from, x);
      }
    },
    onPointerUp: (e: TargetedPointerEvent<HTMLElement>) => {
      const from = end();
      const [x, y] = place(e);
      if (!from || Math.abs(x - from.from) < DRAG) {
        const mark = marks.marks.find((m) => x >= m.left && x <= m.right && y >= m.top && y <= m.bottom);
        if (mark && e.button === 0) onPick?.(mark.lines[0] ?? '');
        return;
      }
      if (from.pans) pan(from, x);
      else range.value = between(range.value, shareOf(marks, from.from), shareOf(marks, x));
    },
    onPointerCancel: () => {
      end();
      at.value = null;
    },
    onPointerLeave: (e: TargetedPointerEvent<HTMLElement>) => {
      if (e.pointerType === 'mouse' && document.activeElement !== e.currentTarget) at.value = null;
    },
    onDblClick: () => (range.value = WHOLE),
    onWheel: (e: TargetedWheelEvent<HTMLElement>) => {
      if (!e.ctrlKey || !axis) return; // a plain wheel scrolls the page
      e.preventDefault();
      zoomBy(shown, e.deltaY < 0 ? 1 / STEP : STEP, shareOf(marks, place(e)[0]));
    },
  };
  return { handlers, chosen: chosen.value };
}

const floorOf = ({ marks }: Marks) => Math.max(...marks.map((mark) => mark.bottom));

interface OverlayProps extends Omit<ReaderProps, 'svg'> {
  marks: Marks;
}

function Overlay({ marks, label, onPick, ...shown }: OverlayProps) {
  const { at } = shown;
  const { axis } = marks;
  const { handlers, chosen } = usePointer(marks, shown, onPick);
  const key = (e: TargetedKeyboardEvent<HTMLElement>) => {
    const name = at.value === null ? undefined : marks.marks[at.value]?.lines[0];
    const picks = onPick && name !== undefined && (e.key === 'Enter' || e.key === ' ');
    if (picks) onPick(name);
    if (e.ctrlKey || e.metaKey || e.altKey || (!picks && !act(e.key, e.shiftKey, marks, shown))) return;
    e.preventDefault();
    e.stopPropagation();
  };
  const mark = at.value === null ? undefined : marks.marks[at.value];
  return (
    <div
      class={axis && axis[0] !== axis[1] ? 'live long' : 'live'}
      style={{ width: `${marks.width}px`, aspectRatio: `${marks.width} / ${marks.height}` }}
      role="slider"
      tabIndex={0}
      aria-roledescription={live.role}
      aria-label={`${live.label(label.split('. ')[0] ?? label)}${axis ? ` ${live.zoomable}` : ''}${onPick ? ` ${live.pickable}` : ''}`}
      aria-valuemin={0}
      aria-valuemax={marks.marks.length - 1}
      aria-valuenow={at.value ?? 0}
      aria-valuetext={mark ? mark.lines.join(', ') : live.nothing}
      {...handlers}
      onKeyDown={key}
      onFocus={(e) => e.currentTarget.matches(':focus-visible') && (at.value ??= 0)}
      onBlur={() => (at.value = null)}
    >
      {mark && <Highlight mark={mark} marks={marks} />}
      {chosen && (
        <div class="live-mark" style={boxOf(marks, Math.min(...chosen), 0, Math.max(...chosen), floorOf(marks))} />
      )}
      {mark && <ReadOut mark={mark} marks={marks} />}
    </div>
  );
}

/** Does what a key asks for; false: nothing. */
function act(key: string, shift: boolean, { marks, axis }: Marks, shown: Shown): boolean {
  const { at, range } = shown;
  const now = at.value;
  const last = marks.length - 1;
  const by = (n: number) => (now === null ? 0 : Math.min(last, Math.max(0, now + n)));
  const row = (way: -1 | 1) => (now === null ? null : vertical(marks, now, way));
  const moves: Record<string, () => number | null> = {
    ArrowRight: () => by(1),
    ArrowLeft: () => by(-1),
    ArrowDown: () => row(1),
    ArrowUp: () => row(-1),
    PageDown: () => by(PAGE),
    PageUp: () => by(-PAGE),
    Home: () => 0,
    End: () => last,
  };
  const zooms: Record<string, () => void> = {
    '+': () => zoomBy(shown, 1 / STEP),
    '=': () => zoomBy(shown, 1 / STEP),
    '-': () => zoomBy(shown, STEP),
    0: () => (range.value = WHOLE),
  };
  const side = { ArrowLeft: -0.25, ArrowRight: 0.25 }[key];
  if (shift && side !== undefined && axis) {
    range.value = panned(range.value, side);
    return true;
  }
  if (axis && zooms[key]) {
    zooms[key]();
    return true;
  }
  const to = moves[key]?.() ?? null;
  if (to === null) return false;
  at.value = to;
  return true;
}

function boxOf({ width, height }: Marks, left: number, top: number, right: number, bottom: number) {
  const part = (n: number, of: number) => `${(100 * n) / of}%`;
  return {
    left: part(left, width),
    top: part(top, height),
    width: part(right - left, width),
    height: part(bottom - top, height),
  };
}

/** The columns of an area, or an upright line at a point. */
function Highlight({ mark, marks }: { mark: Mark; marks: Marks }) {
  const { left, top, right, bottom, at } = mark;
  return (
    <div
      class={at === null ? 'live-mark' : 'live-mark live-line'}
      style={at === null ? boxOf(marks, left, top, right, bottom) : boxOf(marks, at, top, at, bottom)}
    />
  );
}

/** The value in a box beside its mark, on the side that has more room. */
function ReadOut({ mark, marks }: { mark: Mark; marks: Marks }) {
  const { width, height } = marks;
  const box = useRef<HTMLDivElement>(null);
  const middle = mark.at ?? (mark.left + mark.right) / 2;
  const wide = mark.at !== null || mark.right - mark.left > width / 3;
  const before = middle > width / 2;
  const x = wide ? middle : before ? mark.left : mark.right;
  const across = (100 * (before ? width - x : x)) / width;
  // A box over a row of the picture stands under or above it.
  const row = wide && mark.bottom - mark.top < height / 3;
  const above = row && (mark.top + mark.bottom) / 2 > height / 2;
  useLayoutEffect(() => {
    const frame = box.current?.parentElement;
    if (!box.current || !frame) return;
    const [own, whole] = [box.current.offsetHeight, frame.offsetHeight];
    const top = ((row ? mark.bottom : mark.top) * whole) / height;
    const wanted = above ? (mark.top * whole) / height - own - 4 : row ? top + 4 : top;
    box.current.style.top = `${Math.max(0, Math.min(wanted, whole - own))}px`;
  }, [mark, marks]);
  const style = {
    [before ? 'right' : 'left']: `calc(${across}% + 6px)`,
    [before ? 'left' : 'right']: 'auto',
    maxWidth: `calc(${100 - across}% - 8px)`,
  };
  const [name, ...values] = mark.lines;
  return (
    <div class="live-box" style={style} ref={box}>
      <strong>{name}</strong>
      {values.map((value, i) => (
        <span key={i}>{value}</span>
      ))}
    </div>
  );
}

interface ToolsProps extends Shown {
  svg: SVGElement;
  /** The drawing as the engine made it. */
  text: string;
  /** File name without its ending. */
  name: string;
}

/** Buttons of a drawing: zoom, and save as PNG. */
export function Tools({ svg, text, name, ...shown }: ToolsProps) {
  const { all, range } = shown;
  const marks = all.value;
  const whole = isWhole(range.value);
  const savePng = () =>
    pngOf(text, colourBehind(svg)).then(
      (png) => save(`warpscope-${name}.png`, 'image/png', png),
      () => confirm(live.pngFailed, true),
    );
  return (
    <>
      {marks?.axis && (marks.marks.length > FEWEST || !whole) && (
        <span class="live-zoom" role="group">
          <button type="button" aria-label={live.zoomOut} disabled={whole} onClick={() => zoomBy(shown, STEP)}>
            −
          </button>
          <button
            type="button"
            aria-label={live.zoomIn}
            disabled={marks.marks.length <= FEWEST}
            onClick={() => zoomBy(shown, 1 / STEP)}
          >
            +
          </button>
          {!whole && (
            <button type="button" class="link-button" onClick={() => (range.value = WHOLE)}>
              {live.whole}
            </button>
          )}
          <span class="unseen" role="status">
            {!whole && live.part(...range.value)}
          </span>
        </span>
      )}
      <button type="button" class="link-button" onClick={() => void savePng()}>
        {live.png}
      </button>
    </>
  );
}
