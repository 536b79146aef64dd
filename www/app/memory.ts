// Small things that are kept: preferences of this browser, and what belongs to one of its tabs. Storage can be forbidden;
// then they last as long as the page.

import { signal } from '@preact/signals';

const PREFIX = 'warpscope.';

/** Counts how often a person had everything forgotten. */
export const forgotten = signal(0);

function read(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(PREFIX + key);
  } catch {
    return null;
  }
}

function write(storage: () => Storage, key: string, value: string | null) {
  try {
    if (value === null) storage().removeItem(PREFIX + key);
    else storage().setItem(PREFIX + key, value);
  } catch {
    // not kept, and nothing depends on it
  }
}

// Functions, because the name alone throws where storage is forbidden.
const browser = () => localStorage;
const tab = () => sessionStorage;

export const recall = (key: string) => read(browser, key);
export const remember = (key: string, value: string) => write(browser, key, value);
/** The same for this browser tab alone. A reload keeps it. */
export const recallHere = (key: string) => read(tab, key);
export const rememberHere = (key: string, value: string | null) => write(tab, key, value);

/** Removes all of it, and has everybody forget what they would write again. */
export function forgetSmall() {
  for (const storage of [browser, tab]) {
    try {
      const own = Object.keys(storage()).filter((key) => key.startsWith(PREFIX));
      for (const key of own) storage().removeItem(key);
    } catch {
      // nothing is kept there
    }
  }
  forgotten.value += 1;
}
