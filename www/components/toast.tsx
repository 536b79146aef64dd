// What the page confirms, in sight in every tab, and said to screen readers.

import { activity, shownLink, status, tooLong } from '../app/store';
import { Lazy } from './lazy';

const loadLink = () => import(/* webpackChunkName: 'sharing' */ './shown-link').then((module) => module.ShownLink);

export const Toast = () => (
  <div class="toast">
    <p
      role="status"
      aria-live="polite"
      class={activity.value.kind === 'idle' && status.value.shown ? 'status-text' : 'unseen'}
    >
      {status.value.text}
    </p>
    {(tooLong.value || shownLink.value) && <Lazy load={loadLink} props={{}} silent />}
  </div>
);
