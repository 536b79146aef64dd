// The line that a newer version of the page is there.

export const NEWER = {
  text: 'A newer version of this page is ready.',
  reload: 'Reload',
} as const;
