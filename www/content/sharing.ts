// What is copied for other places: a result as Markdown, and how to cite it.

import about from '../../package.json';

/** The version of the page. */
export const VERSION = about.version;

/** What is said once something was handed out. */
export const SHARING = {
  tooLong:
    'This state is too long for a link. Download it as a file. Dropped on the page or given to “warpscope open”, the file opens as a link does.',
  saved: 'The scenario file is saved. Drop it on the page to open it.',
  markdownCopied: 'Copied as Markdown: the sentence, the numbers, the first figure and the link.',
  citationCopied: 'Citation copied.',
} as const;

interface Shared {
  sentence: string;
  /** Names and values. */
  facts: string[][];
  figure: { label: string; address: string } | null;
  /** The figure's numbers; the first row names the columns. */
  rows: string[][];
  link: string | null;
}

/** More rows than these are left to the page. */
const MOST_ROWS = 24;

/** A cell's text, with nothing that Markdown would read. */
const plain = (text: string) => text.replaceAll(/[\\`*_[\]<>|]/g, '\\$&');

function table([head, ...body]: string[][]): string {
  if (!head) return '';
  const line = (cells: string[]) => `| ${cells.map(plain).join(' | ')} |`;
  const rows = body.slice(0, MOST_ROWS).map(line);
  const more = body.length > MOST_ROWS ? [`\n${body.length - MOST_ROWS} more rows are on the page.`] : [];
  return [line(head), line(head.map(() => '---')).replaceAll('\\', ''), ...rows, ...more].join('\n');
}

export function markdown({ sentence, facts, figure, rows, link }: Shared): string {
  return [
    `**${plain(sentence)}**`,
    facts.length > 0 ? table([['Number', 'Value'], ...facts]) : '',
    figure ? `![${plain(figure.label)}](${figure.address})` : '',
    table(rows),
    link === null ? 'The state is too long for a link.' : `[Open this result in Warpscope](${link})`,
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

/** As CITATION.cff says it, with the address and the day. */
export const citation = (link: string, day: Date) =>
  `The Warpscope authors. Warpscope: a zero-install lab for the GPU memory hierarchy. Version ${VERSION}. ${link} (opened on ${day.toISOString().slice(0, 10)}).\n`;
