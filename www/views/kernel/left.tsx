// Texts that were typed, not run, and replaced by another one.

import { k } from '../../content/kernel';
import { left } from './drafts';
import { bringBack } from './state';

export function Left() {
  if (left.value.length === 0) return null;
  return (
    <p class="quiet">
      {k.library.left}{' '}
      {left.value.map((draft, i) => (
        <span key={draft.at}>
          {i > 0 && ', '}
          <button type="button" class="link-button" onClick={() => bringBack(draft)}>
            {k.library.unrun(draft.name, new Date(draft.at))}
          </button>
        </span>
      ))}
    </p>
  );
}
