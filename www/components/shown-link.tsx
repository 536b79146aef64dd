// The link, where the browser lets no page write to the clipboard; the way to a file, where the state is too long for a link.

import { saveScenario } from '../app/output';
import { shownLink, tooLong } from '../app/store';
import { s } from '../content/strings';

export function ShownLink() {
  if (tooLong.value)
    return (
      <p class="shown-link">
        <button type="button" onClick={() => void saveScenario()}>
          {s.export.saveScenario}
        </button>
      </p>
    );
  if (!shownLink.value) return null;
  return (
    <label class="shown-link">
      {s.export.linkLabel}
      <input readOnly value={shownLink.value} onFocus={(e) => e.currentTarget.select()} />
    </label>
  );
}
