// What the engine is doing, with its own count, and the way to stop it.

import { cancel } from '../app/actions';
import { activity, status } from '../app/store';
import { s } from '../content/strings';
import { ShownLink } from './shown-link';

export function StatusStrip() {
  const now = activity.value;
  return (
    <div class="status-strip">
      {now.kind !== 'idle' && (
        <div class="progress" data-testid="progress">
          <span class="progress-text">
            {now.cancelling ? s.progress.cancelling : s.progress[now.kind]}{' '}
            {now.total > 0 && !now.cancelling && (
              <span class="quiet">
                {now.kind === 'reading' ? s.progress.bytes(now.done, now.total) : s.progress.of(now.done, now.total)}
              </span>
            )}
          </span>
          <progress
            aria-label={s.progress[now.kind]}
            max={now.total || 1}
            value={now.total > 0 ? now.done : undefined}
          />
          <button type="button" onClick={() => void cancel()}>
            {s.progress.cancel} <kbd aria-hidden="true">Esc</kbd>
          </button>
        </div>
      )}
      <p role="status" aria-live="polite" class={now.kind === 'idle' && status.value.shown ? 'status-text' : 'unseen'}>
        {status.value.text}
      </p>
      <ShownLink />
    </div>
  );
}
