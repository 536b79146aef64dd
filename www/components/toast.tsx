// What the page confirms, in sight in every tab, and said to screen readers.

import { activity, status } from '../app/store';
import { ShownLink } from './shown-link';

export const Toast = () => (
  <div class="toast">
    <p
      role="status"
      aria-live="polite"
      class={activity.value.kind === 'idle' && status.value.shown ? 'status-text' : 'unseen'}
    >
      {status.value.text}
    </p>
    <ShownLink />
  </div>
);
