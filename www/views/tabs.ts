// Where the code of each tab is. A tab is fetched when it is first opened, so that it costs the first screen nothing.

import type { TabLoaders } from '../app/tabs';

export const tabLoaders: TabLoaders = {
  kernel: () => import('./kernel'),
  reuse: () => import('./reuse'),
  topology: () => import('./topology'),
  placement: () => import('./placement'),
};
