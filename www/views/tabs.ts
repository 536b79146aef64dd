// Where the code of each tab is. A tab is fetched when it is first opened, so that it costs the first screen nothing.

import type { TabLoaders } from '../app/tabs';

export const tabLoaders: TabLoaders = {
  kernel: () => import(/* webpackChunkName: 'kernel' */ './kernel'),
  reuse: () => import(/* webpackChunkName: 'reuse' */ './reuse'),
  topology: () => import(/* webpackChunkName: 'topology' */ './topology'),
  placement: () => import(/* webpackChunkName: 'placement' */ './placement'),
  learn: () => import(/* webpackChunkName: 'learn' */ './learn'),
  check: () => import(/* webpackChunkName: 'check' */ './check'),
};
