// Says quietly that a newer version of the page is there.

import { render } from 'preact';
import { changeToNewer, keepPage, newer } from '../../app/offline';
import { NEWER } from '../../content/newer';

function Newer() {
  return newer.value ? (
    <p class="newer">
      {NEWER.text}{' '}
      <button type="button" class="link-button" onClick={changeToNewer}>
        {NEWER.reload}
      </button>
    </p>
  ) : null;
}

/** Keeps the page for a visit without a network, and shows the line when there is something to say. */
export function startOffline() {
  const place = document.createElement('div');
  place.setAttribute('role', 'status');
  document.body.append(place);
  render(<Newer />, place);
  void keepPage();
}
