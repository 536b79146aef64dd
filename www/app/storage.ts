// Small values in the storage of the browser and of one of its tabs. Storage can be forbidden: then nothing is kept, and nothing
// depends on it.

const PREFIX = 'warpscope.';

// Functions, because the name alone throws where storage is forbidden.
export const browser = () => localStorage;
export const tab = () => sessionStorage;

export function read(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(PREFIX + key);
  } catch {
    return null;
  }
}

export function write(storage: () => Storage, key: string, value: string | null) {
  try {
    if (value === null) storage().removeItem(PREFIX + key);
    else storage().setItem(PREFIX + key, value);
  } catch {
    // not kept, and nothing depends on it
  }
}

/** Removes all that the page has written there. */
export function clear(storage: () => Storage) {
  try {
    const own = Object.keys(storage()).filter((key) => key.startsWith(PREFIX));
    for (const key of own) storage().removeItem(key);
  } catch {
    // nothing is kept there
  }
}
