// The way to the code of comparisons, which comes with the first baseline.

import { effect } from '@preact/signals';
import { safely } from './session';
import * as store from './store';

const code = () => import(/* webpackChunkName: 'compare' */ './compare');

/** Does something that the code of comparisons knows. */
export function withCompare(use: (compare: Awaited<ReturnType<typeof code>>) => Promise<void> | void): Promise<void> {
  return safely(async () => use(await code()));
}

/** Follows the scenario from the first one that names a baseline. */
export function startBaseline() {
  const stop = effect(() => {
    if (store.scenario.value.base === null) return;
    queueMicrotask(() => stop());
    void withCompare(({ follow }) => follow());
  });
}
