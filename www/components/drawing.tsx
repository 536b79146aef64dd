// A chart drawn by an engine as SVG, with its numbers as a table beside it.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { save } from '../app/output';
import { dark } from '../app/theme';
import { s } from '../content/strings';
import { safeSvg } from './svg';

interface Props {
  /** Draws for a width in px, light or dark; null: what it would draw is gone. */
  draw: ((width: number, dark: boolean) => Promise<string>) | null;
  /** What the drawing depends on; it is drawn anew when one of these changes. */
  of: unknown[];
  /** File name of the saved picture, without its ending. */
  name: string;
  /** The chart's main facts, for people who do not see it. */
  label: string;
  table: ComponentChildren;
}

/** Widths are rounded, so that a window being dragged does not redraw at every pixel. */
const STEP = 40;

export function Drawing({ draw, of, name, label, table }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  const text = useSignal('');
  const problem = useSignal('');

  useEffect(() => {
    const el = frame.current;
    if (!el) return;
    const watch = new ResizeObserver(() => (width.value = Math.max(280, Math.floor(el.clientWidth / STEP) * STEP)));
    watch.observe(el);
    return () => watch.disconnect();
  }, []);

  useEffect(() => {
    if (width.value === 0) return;
    if (!draw) {
      if (!text.value) problem.value = s.figure.gone;
      return;
    }
    let current = true;
    draw(width.value, dark.value).then(
      (svg) => current && ((text.value = svg), (problem.value = '')),
      () => current && (problem.value = s.figure.failed),
    );
    return () => void (current = false);
  }, [...of, draw === null, width.value, dark.value]);

  useEffect(() => {
    const svg = text.value ? safeSvg(text.value, label) : null;
    if (text.value && !svg) problem.value = s.figure.failed;
    frame.current?.replaceChildren(...(svg && !problem.value ? [svg] : []));
  }, [text.value, problem.value, label]);

  return (
    <div class="figure">
      <div class="figure-frame" ref={frame} />
      {(problem.value || !text.value) && <p class="quiet">{problem.value || s.figure.drawing}</p>}
      <div class="figure-foot">
        <details class="numbers">
          <summary>{s.figure.table}</summary>
          {table}
        </details>
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
