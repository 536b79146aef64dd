// Which trace the page has, as a text that tells inputs apart.

import { computed } from '@preact/signals';
import * as store from './store';

export const sourceKey = computed(() => {
  const source = store.source.value;
  return source
    ? JSON.stringify([
        source.example,
        source.cuda,
        source.files.map((f) => [f.name, f.size, f.lastModified]),
        source.reading,
      ])
    : '';
});
