// What is said when a result is handed out, and in what is copied.

import { count } from './format';

export const SHARING = {
  tooLong:
    'This state is too long for a link. Download it as a file. Dropped on the page or given to “warpscope open”, the file opens as a link does.',
  saved: 'The scenario file is saved. Drop it on the page to open it.',
  markdownCopied: 'Copied as Markdown: the sentence, the numbers, the first figure and the link.',
  citationCopied: 'Citation copied.',
  number: 'Number',
  value: 'Value',
  more: (rows: number) => (rows === 1 ? '1 more row is on the page.' : `${count(rows)} more rows are on the page.`),
  noLink: 'The state is too long for a link.',
  open: 'Open this result in Warpscope',
  /** As CITATION.cff says it, with the address and the day. */
  citation: (version: string, link: string, day: string) =>
    `The Warpscope authors. Warpscope: a zero-install lab for the GPU memory hierarchy. Version ${version}. ${link} (opened on ${day}).`,
};
