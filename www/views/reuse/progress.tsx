// What the tab's engines are doing, with their own count, and the way to stop them.

import * as store from '../../app/store';
import { ProgressBar, useEscape } from '../../components/progress-bar';
import { StatusStrip } from '../../components/status-strip';
import { r } from '../../content/reuse';
import { s } from '../../content/strings';
import { cancel } from './actions';
import { activity, message, settings, shown } from './state';

export function Progress() {
  const now = activity.value;
  // A generated stream counts accesses.
  const isOfFiles = ['trace', 'files'].includes(settings.value.input);
  useEscape(() => activity.value !== null, cancel);
  // Until the page has read another source, the analysis is of the one before.
  if (!now && settings.value.input === 'trace' && /reading|emulating/.test(store.activity.value.kind))
    return <StatusStrip below={shown.value !== null} />;
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
