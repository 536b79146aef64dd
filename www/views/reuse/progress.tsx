// What the tab's engines are doing, with their own count, and the way to stop them.

import { ProgressBar, useEscape } from '../../components/progress-bar';
import { r } from '../../content/reuse';
import { s } from '../../content/strings';
import { cancel } from './actions';
import { activity, message, settings } from './state';

export function Progress() {
  const now = activity.value;
  // A generated stream counts accesses.
  const isOfFiles = ['trace', 'files'].includes(settings.value.input);
  useEscape(() => activity.value !== null, cancel);
  return (
    <div class="status-strip">
      {now && (
        <ProgressBar
          testId="reuse-progress"
          label={now.work === 'emulating' ? s.progress.emulating : r.progress[now.work]}
          {...now}
          onCancel={cancel}
        >
          {now.done > 0 &&
            (now.work === 'reading' && now.total > 0 && isOfFiles
              ? s.progress.bytes(now.done, now.total)
              : r.progress.of(now.done, now.total))}
        </ProgressBar>
      )}
      <p role="status" aria-live="polite" class={!now && message.value ? 'status-text' : 'unseen'}>
        {message.value}
      </p>
    </div>
  );
}
