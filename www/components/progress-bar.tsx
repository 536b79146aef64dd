// Work under way: what it is, how far it is, and the button that ends it.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { s } from '../content/strings';

interface Props {
  testId: string;
  /** What is done, such as "Reading". */
  label: string;
  done: number;
  total: number;
  cancelling: boolean;
  onCancel: () => void;
  /** The count, in words. */
  children?: ComponentChildren;
}

export function ProgressBar({ testId, label, done, total, cancelling, onCancel, children }: Props) {
  const left = useTimeLeft(label, done, total);
  return (
    <div class="progress" data-testid={testId}>
      <span class="progress-text">
        {cancelling ? s.progress.cancelling : label} {!cancelling && <span class="quiet">{children}</span>}{' '}
        {!cancelling && left > 0 && <span class="quiet">{s.progress.left(left)}</span>}
      </span>
      <progress aria-label={label} max={total || 1} value={total > 0 ? done : undefined} />
      <button type="button" onClick={onCancel}>
        {s.progress.cancel} <kbd aria-hidden="true">Esc</kbd>
      </button>
    </div>
  );
}

/** Work that has run so long gets an estimate, in milliseconds. */
const FIRST_ESTIMATE = 800;

/** Shorter work needs no estimate, in seconds. */
const LEAST_LEFT = 2;

/** Seconds that work of this label still takes if it goes on as it began; 0 while that is not known, or where it is little. */
function useTimeLeft(label: string, done: number, total: number): number {
  const begin = useRef({ label, done, time: performance.now() });
  if (begin.current.label !== label || done < begin.current.done) {
    begin.current = { label, done, time: performance.now() };
  }
  const passed = performance.now() - begin.current.time;
  const share = done - begin.current.done;
  if (share <= 0 || passed < FIRST_ESTIMATE) return 0;
  const left = ((total - done) / share) * (passed / 1000);
  return left >= LEAST_LEFT ? left : 0;
}

/** Has Escape end the work of a tab, while there is some. */
export function useEscape(busy: () => boolean, cancel: () => void) {
  useEffect(() => {
    const stop = (event: KeyboardEvent) => event.key === 'Escape' && busy() && cancel();
    addEventListener('keydown', stop);
    return () => removeEventListener('keydown', stop);
  }, []);
}
