// What the engine is doing, with its own count, and the way to stop it.

import { cancel } from '../app/actions';
import { activity } from '../app/store';
import { s } from '../content/strings';
import { ProgressBar } from './progress-bar';

export function StatusStrip() {
  const now = activity.value;
  return (
    <div class="status-strip">
      {now.kind !== 'idle' && (
        <ProgressBar testId="progress" label={s.progress[now.kind]} {...now} onCancel={() => void cancel()}>
          {now.total > 0 &&
            (now.kind === 'reading' ? s.progress.bytes(now.done, now.total) : s.progress.of(now.done, now.total))}
        </ProgressBar>
      )}
    </div>
  );
}
