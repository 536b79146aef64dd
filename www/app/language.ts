// Which language the page speaks: the one that the link names, else the one that the person chose here, else the browser's.
// `start.ts` asks before it loads the bundle of that language.

import names from '../content/languages.json';
import type { Language } from '../content/document';
import { browser, read, write } from './storage';

export const LANGUAGES = Object.keys(names) as Language[];

const KEY = 'language';
/** `lang=` of a link, with the separator before it. */
const PART = /(^|&)lang=([^&]*)/;

const known = (tag: string | null | undefined): Language | null =>
  LANGUAGES.find((language) => language === tag) ?? null;

/** What a link's hash says; null where it names no language, or one that the page does not speak. */
export const namedIn = (hash: string): Language | null => known(PART.exec(hash)?.[2]);

/** The hash without the language. */
export const withoutLanguage = (hash: string) => hash.replace(PART, '').replace(/^&/, '');

/** The first language of the browser that the page speaks. A region does not matter: `zh-CN` and `zh` are one. */
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = known(tag.toLowerCase().split('-')[0]);
    if (found) return found;
  }
  return 'en';
}

/** The hash with the language, where a browser like this one would choose another. */
export function withLanguage(hash: string, language: Language, wanted: readonly string[]): string {
  if (language === preferred(wanted)) return hash;
  return `${hash}${hash && '&'}lang=${language}`;
}

export function chosen(hash: string): Language {
  return namedIn(hash) ?? known(read(browser, KEY)) ?? preferred(navigator.languages);
}

/** Speaks another language from now on. The state of the page is in its address, so that a new start has all of it. */
export function speak(language: Language) {
  write(browser, KEY, language);
  const hash = withLanguage(withoutLanguage(location.hash.slice(1)), language, navigator.languages);
  history.replaceState(history.state, '', hash ? `#${hash}` : location.pathname + location.search);
  location.reload();
}
