// The definitions of the glossary, once somebody has asked for one.

import { signal } from '@preact/signals';
import type { TermId } from '../content/glossary';
import { s } from '../content/strings';

const texts = signal<Record<TermId, string> | 'failed' | null>(null);

/** Loads them; again after a failure. */
export function loadDefinitions() {
  if (texts.value !== null && texts.value !== 'failed') return;
  import(/* webpackChunkName: 'definitions' */ '../content/definitions').then(
    (module) => (texts.value = module.definitions),
    () => (texts.value = 'failed'),
  );
}

/** A definition; where it is not there yet, what keeps it away. */
export function definitionOf(id: TermId): string {
  if (texts.value === null) return s.part.loading;
  return texts.value === 'failed' ? s.part.failed : texts.value[id];
}
