// The scenario lives in the URL's hash. Writing it makes no history entry: each run would be one.

export function currentHash(): string {
  return location.hash.replace(/^#/, '');
}

export function showHash(hash: string) {
  history.replaceState(null, '', hash ? `#${hash}` : location.pathname + location.search);
}

/** The whole link, as copied. */
export function linkOf(hash: string): string {
  return `${location.origin}${location.pathname}${location.search}#${hash}`;
}

/** Calls back when the person follows or pastes another link. Our own writes make no event. */
export function onHashChange(heard: (hash: string) => void) {
  addEventListener('hashchange', () => heard(currentHash()));
}
