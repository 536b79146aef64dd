// What the engine is doing, with its own count, and the way to stop it.

import { cancel } from '../app/actions';
import { activity } from '../app/store';
import { s } from '../content/strings';
import { ProgressBar } from './progress-bar';

/** `below`: the tab shows a result, which is that of before until the work has ended. */
export function StatusStrip({ below }: { below: boolean }) {
  const now = activity.value;
  return (
    <div class="status-strip">
      {now.kind !== 'idle' && (
        <ProgressBar testId="progress" label={s.progress[now.kind]} {...now} onCancel={() => void cancel()}>
          {now.total > 0 &&
            (now.kind === 'reading' ? s.progress.bytes(now.done, now.total) : s.progress.of(now.done, now.total))}{' '}
          {below && s.memory.before}
        </ProgressBar>
      )}
    </div>
  );
}
