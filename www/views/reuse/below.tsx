// The smallest cache whose miss ratio is at most a given one.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { setView, viewValue } from '../../app/tabs';
import { KeptInput } from '../../components/kept-input';
import { r } from '../../content/reuse';
import type { Series } from '../../engine/reuse/protocol';
import { type Smallest, smallestBelow } from './smallest';
import { engine, type Shown } from './state';

const KEY = 'reuse.below';
const PERCENT = 5;
/** Distances that are asked for at once. */
const BARS = 4096;

/** A share in percent, as a person or a link gives it; null where it is none. */
function percentOf(text: string | null): number | null {
  const given = text === null || text.trim() === '' ? NaN : Number(text);
  return given >= 0 && given <= 100 ? given : null;
}

export function Below({ shown, series }: { shown: Shown; series: Series }) {
  const kept = percentOf(viewValue(KEY)) ?? PERCENT;
  // What is typed counts at once: the size beside it must not be that of another share.
  const typed = useSignal<string | null>(null);
  const percent = typed.value === null ? kept : percentOf(typed.value);
  const found = useSignal<Smallest | null>(null);
  useEffect(() => {
    let current = true;
    found.value = null;
    if (percent === null) return;
    const window = (from: number, to: number) => engine.window(series.key, from, to, BARS);
    smallestBelow(series, percent / 100, window).then(
      (size) => current && (found.value = size),
      () => {},
    );
    return () => void (current = false);
  }, [shown, series.key, percent]);
  return (
    <div class="reuse-range below">
      <label for="reuse-below">{r.curve.below}</label>{' '}
      <span onInput={(e) => (typed.value = (e.target as HTMLInputElement).value)}>
        <KeptInput
          id="reuse-below"
          type="number"
          min="0"
          max="100"
          step="any"
          value={kept}
          onChange={(e) => {
            const next = percentOf(e.currentTarget.value) ?? PERCENT;
            typed.value = null;
            setView(KEY, next === PERCENT ? null : String(next));
          }}
        />
      </span>
      {' %: '}
      <output for="reuse-below" data-testid="reuse-below">
        {found.value === null ? '…' : r.curve.smallest(found.value.size, shown.prepared.line_bytes, found.value.enough)}
      </output>
    </div>
  );
}
