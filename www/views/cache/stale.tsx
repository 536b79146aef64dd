// Says when the settings have moved on from the result on screen.

import { rerun } from '../../app/actions';
import { busy, stale, tooBig } from '../../app/store';
import { s } from '../../content/strings';

export function Stale() {
  if (!stale.value || busy.value || tooBig.value !== null) return null;
  return (
    <p class="banner">
      {s.settings.stale}{' '}
      <button type="button" onClick={() => void rerun()}>
        {s.settings.runAgain}
      </button>
    </p>
  );
}
