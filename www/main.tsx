// Starts the page. Whatever goes wrong from here on ends in a card that can be read, not in a blank page.

import { effect } from '@preact/signals';
import { render } from 'preact';
import { boot } from './app/actions';
import { embedded, framed } from './app/framed';
import { closeWaysOut } from './app/guard';
import { startKeeping } from './app/kept/kept';
import { startKeys } from './app/keys';
import { reportCrash } from './app/session';
import { openHash } from './app/sources';
import { missingFeature } from './app/support';
import { afterParts } from './app/parts';
import { registerTabs, tab } from './app/tabs';
import { startTheme } from './app/theme';
import { onHashChange } from './app/url';
import { page } from './content/document';
import { s } from './content/strings';
import { isWanted } from './engine/lost';
import { startBaseline } from './app/with-compare';
import { Framed } from './views/shell/framed';
import { Shell } from './views/shell/shell';
import { tabLoaders } from './views/tabs';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/parts.css';
import './styles/result.css';
import './styles/print.css';

addEventListener('error', (event) => {
  // Chrome reports a harmless delay of ResizeObserver this way, without an error object.
  if (event.error) reportCrash(event.error);
});
addEventListener('unhandledrejection', (event) => {
  // A worker that was ended on purpose can take calls with it that nobody waits for.
  if (isWanted(event.reason)) event.preventDefault();
  else reportCrash(event.reason);
});

closeWaysOut();
const root = document.getElementById('app');
document.documentElement.lang = page.tag;
// The titles of several browser tabs tell them apart.
effect(() => {
  document.title = tab.value === 'cache' ? page.title : `${s.tabs.names[tab.value]} · Warpscope`;
});
document.querySelector('meta[name=description]')?.setAttribute('content', page.description);
startTheme();
const alone = !framed();
const whole = alone && !embedded();
if (alone) {
  registerTabs(tabLoaders);
  startBaseline();
}
if (whole) {
  startKeys();
  startKeeping();
}

/** Says what this browser lacks, and then the command that needs no browser. */
function lacking(place: HTMLElement, feature: string) {
  render(<main class="card">{feature}</main>, place);
  void import(/* webpackChunkName: 'missing' */ './views/shell/missing').then(({ Missing }) =>
    render(<Missing feature={feature} />, place),
  );
}

function start() {
  if (root && !alone) return render(<Framed />, root);
  const missing = missingFeature();
  if (root && missing) return lacking(root, missing);
  boot();
  if (root && whole) render(<Shell />, root);
  if (root && !whole)
    void import(/* webpackChunkName: 'embed' */ './views/shell/embed').then(({ Embed }) => render(<Embed />, root));
  onHashChange((hash, back) => void openHash(hash, back));
  // In a frame of another page the browser would keep the files once more.
  if (window.top === window.self)
    afterParts(
      () =>
        void import(/* webpackChunkName: 'offline' */ './views/shell/newer').then(
          ({ startOffline }) => startOffline(),
          () => {},
        ),
    );
}

// In a task of its own: reading the program has taken one already.
setTimeout(start);
