// Small things that are kept: preferences of this browser, and what belongs to one of its tabs. Where storage is forbidden they last
// as long as the page.

import { signal } from '@preact/signals';
import { browser, clear, read, tab, write } from './storage';

/** Counts how often a person had everything forgotten. */
export const forgotten = signal(0);

export const recall = (key: string) => read(browser, key);
export const remember = (key: string, value: string) => write(browser, key, value);
/** The same for this browser tab alone. A reload keeps it. */
export const recallHere = (key: string) => read(tab, key);
export const rememberHere = (key: string, value: string | null) => write(tab, key, value);

/** Removes all of it, and has everybody forget what they would write again. */
export function forgetSmall() {
  clear(browser);
  clear(tab);
  forgotten.value += 1;
}
