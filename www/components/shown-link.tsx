// The link, where the browser lets no page write to the clipboard.

import { shownLink } from '../app/store';
import { s } from '../content/strings';

export function ShownLink() {
  if (!shownLink.value) return null;
  return (
    <label class="shown-link">
      {s.export.linkLabel}
      <input readOnly value={shownLink.value} onFocus={(e) => e.currentTarget.select()} />
    </label>
  );
}
