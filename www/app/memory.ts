// Small preferences. Storage can be forbidden; then they last as long as the page.

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`warpscope.${key}`);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string) {
  try {
    localStorage.setItem(`warpscope.${key}`, value);
  } catch {
    // not kept, and nothing depends on it
  }
}
