// Says when the settings, or the input, have moved on from the result on screen.

import { rerun } from '../../app/actions';
import { sameRun } from '../../app/scenario';
import { busy, declined, intake, result, scenario, stale, tooBig } from '../../app/store';
import { s } from '../../content/strings';

export function Stale() {
  if (!stale.value || busy.value || tooBig.value !== null) return null;
  // What was refused would be refused again.
  const isRefused = declined.value !== null && sameRun(declined.value, scenario.value);
  // Numbers of another input say nothing about this one.
  const other = result.value?.intake !== intake.value;
  return (
    <p class="banner">
      {other ? s.settings.otherInput(isRefused) : s.settings.stale}{' '}
      {!isRefused && (
        <button type="button" onClick={() => void rerun()}>
          {other ? s.settings.run : s.settings.runAgain}
        </button>
      )}
    </p>
  );
}
