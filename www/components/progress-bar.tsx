// Work under way: what it is, how far it is, and the button that ends it.

import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
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
  return (
    <div class="progress" data-testid={testId}>
      <span class="progress-text">
        {cancelling ? s.progress.cancelling : label} {!cancelling && <span class="quiet">{children}</span>}
      </span>
      <progress aria-label={label} max={total || 1} value={total > 0 ? done : undefined} />
      <button type="button" onClick={onCancel}>
        {s.progress.cancel} <kbd aria-hidden="true">Esc</kbd>
      </button>
    </div>
  );
}

/** Has Escape end the work of a tab, while there is some. */
export function useEscape(busy: () => boolean, cancel: () => void) {
  useEffect(() => {
    const stop = (event: KeyboardEvent) => event.key === 'Escape' && busy() && cancel();
    addEventListener('keydown', stop);
    return () => removeEventListener('keydown', stop);
  }, []);
}
