// The document itself: which language this bundle speaks, the title and the description. `index.html` has the English ones, for
// readers that run no script; a test compares.

import type languages from './languages.json';

export type Language = keyof typeof languages;

export const page: { language: Language; tag: string; title: string; description: string; languages: string } = {
  language: 'en',
  /** For the attribute `lang`: it chooses fonts and voices. */
  tag: 'en',
  title: 'Warpscope: why GPU memory accesses miss',
  description:
    'See what a GPU kernel’s memory accesses cost, and why they miss. Drop a trace; nothing leaves your browser.',
  /** What the switches choose. */
  languages: 'Language',
};
