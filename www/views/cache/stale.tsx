// Says when the settings have moved on from the result on screen.

import { rerun } from '../../app/actions';
import { sameRun } from '../../app/scenario';
import { busy, declined, scenario, stale, tooBig } from '../../app/store';
import { s } from '../../content/strings';

export function Stale() {
  if (!stale.value || busy.value || tooBig.value !== null) return null;
  // What was refused would be refused again.
  const isRefused = declined.value !== null && sameRun(declined.value, scenario.value);
  return (
    <p class="banner">
      {s.settings.stale}{' '}
      {!isRefused && (
        <button type="button" onClick={() => void rerun()}>
          {s.settings.runAgain}
        </button>
      )}
    </p>
  );
}
