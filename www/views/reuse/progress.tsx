// What the tab's engines are doing, with their own count, and the way to stop them.

import { useEffect } from 'preact/hooks';
import * as store from '../../app/store';
import { r } from '../../content/reuse';
import { cancel } from './actions';
import { activity, message } from './state';

export function Progress() {
  const now = activity.value;
  useEffect(() => {
    const stop = (event: KeyboardEvent) => event.key === 'Escape' && activity.value && cancel();
    addEventListener('keydown', stop);
    return () => removeEventListener('keydown', stop);
  }, []);
  return (
    <div class="status-strip">
      {now && (
        <div class="progress" data-testid="reuse-progress">
          <span class="progress-text">
            {now.cancelling ? r.progress.cancelling : r.progress[now.work]}{' '}
            {!now.cancelling && now.done > 0 && (
              <span class="quiet">
                {now.work === 'reading' && now.total > 0
                  ? r.progress.bytes(now.done, now.total)
                  : r.progress.of(now.done, now.total)}
              </span>
            )}
          </span>
          <progress
            aria-label={r.progress[now.work]}
            max={now.total || 1}
            value={now.total > 0 ? now.done : undefined}
          />
          <button type="button" onClick={cancel}>
            {r.progress.cancel} <kbd aria-hidden="true">Esc</kbd>
          </button>
        </div>
      )}
      <p role="status" aria-live="polite" class={!now && message.value ? 'status-text' : 'unseen'}>
        {message.value || store.status.value.text}
      </p>
    </div>
  );
}
