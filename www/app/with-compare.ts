// The way to the code of comparisons, which comes with the first baseline.

import { effect } from '@preact/signals';
import { safely } from './session';
import * as store from './store';

const code = () => import(/* webpackChunkName: 'compare' */ './compare');

type Compare = Awaited<ReturnType<typeof code>>;

/** Does something that the code of comparisons knows, with what is on show now: the code may come after something else is. */
export function withCompare(use: (compare: Compare, shown: store.Shown) => Promise<void> | void): Promise<void> {
  const shown = store.onShow();
  return safely(async () => use(await code(), shown));
}

/** Follows the scenario from the first one that names a baseline. */
export function startBaseline() {
  const stop = effect(() => {
    if (store.scenario.value.base === null) return;
    queueMicrotask(() => stop());
    void withCompare(({ follow }) => follow());
  });
}
