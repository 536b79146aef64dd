// Addresses of the documentation, which lies beside the page.

import type { TermId } from '../content/glossary';

export const DOCS = 'docs/index.html';

/** Where it says more about a term. */
export const glossaryEntry = (id: TermId) => `docs/glossary.html#${id}`;
