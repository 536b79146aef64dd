// The language of the page's texts: the link's, else the one that the person chose here before, else the browser's.

import { computed, signal } from '@preact/signals';
import { recall, remember } from './memory';
import * as store from './store';

export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

const known = (wanted: string | null | undefined): Language | undefined =>
  LANGUAGES.find((language) => wanted?.toLowerCase().split('-')[0] === language);

const chosen = signal<Language | undefined>(known(recall('language')));
const own = navigator.languages.map(known).find((language) => language !== undefined) ?? 'en';

export const language = computed<Language>(() => known(store.scenario.value.view['lang']) ?? chosen.value ?? own);

/** Keeps a choice for the next visits. A link's language goes before it. */
export function chooseLanguage(next: Language) {
  chosen.value = next;
  remember('language', next);
}
