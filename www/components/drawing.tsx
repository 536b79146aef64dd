// A chart drawn by an engine as SVG, with its numbers as a table beside it.

import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { save } from '../app/output';
import { dark } from '../app/theme';
import { speaks } from '../content/messages';
import { s } from '../content/strings';
import type { Look } from '../engine/types';
import type * as LiveParts from './live/live';
import type { Marks } from './live/marks';
import { safeSvg } from './svg';

interface Props {
  /** Draws; null: what it would draw is gone. */
  draw: ((look: Look) => Promise<string>) | null;
  /** What the drawing depends on; it is drawn anew when one of these changes. */
  of: unknown[];
  /** File name of the saved picture, without its ending. */
  name: string;
  /** The chart's main facts, for people who do not see it. */
  label: string;
  /** Takes the name of a mark that a person picked. */
  onPick?: (name: string) => void;
  /** Its numbers; without it, the values of its marks make the table. */
  table?: ComponentChildren;
}

/** Widths are rounded, so that a window being dragged does not redraw at every pixel. */
const STEP = 40;
const WHOLE: Look['range'] = [0, 1];

/** What reads values and zooms. It comes with the first drawing; without it, drawings are pictures. */
const parts = signal<typeof LiveParts | null>(null);
const loadParts = () =>
  void import(/* webpackChunkName: 'live' */ './live/live').then(
    (loaded) => (parts.value = loaded),
    () => {},
  );

export function Drawing({ draw, of, name, label, onPick, table }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  const text = useSignal('');
  const problem = useSignal('');
  const picture = useSignal<SVGElement | null>(null);
  const range = useSignal(WHOLE);
  const shown = { range, all: useSignal<Marks | null>(null), at: useSignal<number | null>(null) };

  useEffect(() => {
    const el = frame.current;
    if (!el) return;
    const watch = new ResizeObserver(() => (width.value = Math.max(280, Math.floor(el.clientWidth / STEP) * STEP)));
    watch.observe(el);
    return () => watch.disconnect();
  }, []);

  useEffect(() => void (range.value = WHOLE), of);

  useEffect(() => {
    if (width.value === 0) return;
    if (!draw) {
      if (!text.value) problem.value = s.figure.gone;
      return;
    }
    let current = true;
    draw({ width: width.value, dark: dark.value, range: range.value }).then(
      (svg) => current && ((text.value = svg), (problem.value = '')),
      () => current && (problem.value = s.figure.failed),
    );
    return () => void (current = false);
  }, [...of, draw === null, width.value, dark.value, range.value]);

  useEffect(() => {
    const svg = text.value ? safeSvg(text.value, label) : null;
    if (text.value && !svg) problem.value = s.figure.failed;
    picture.value = problem.value ? null : svg;
    frame.current?.replaceChildren(...(picture.value ? [picture.value] : []));
    if (picture.value && !parts.value) loadParts();
  }, [text.value, problem.value, label, speaks()]);

  const [live, svg] = [parts.value, picture.value];
  return (
    <div class="figure">
      <div class="figure-frame" ref={frame} />
      {live && svg && <live.Reader svg={svg} label={label} onPick={onPick} {...shown} />}
      {(problem.value || !text.value) && <p class="quiet">{problem.value || s.figure.drawing}</p>}
      <div class="figure-foot">
        <details class="numbers">
          <summary>{s.figure.table}</summary>
          {table ?? (live && <live.Numbers all={shown.all.value} caption={label} />)}
        </details>
        {live && svg && <live.Tools svg={svg} text={text.value} name={name} {...shown} />}
        {text.value && !problem.value && (
          <button
            type="button"
            class="link-button"
            onClick={() => save(`warpscope-${name}.svg`, 'image/svg+xml', text.value)}
          >
            {s.export.svg}
          </button>
        )}
      </div>
    </div>
  );
}
