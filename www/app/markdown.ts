// A result as Markdown, and how to cite it.

import about from '../../package.json';
import { SHARING } from '../content/sharing';

/** The version of the page. */
export const VERSION = about.version;

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
  const more = body.length > MOST_ROWS ? [`\n${SHARING.more(body.length - MOST_ROWS)}`] : [];
  return [line(head), line(head.map(() => '---')).replaceAll('\\', ''), ...rows, ...more].join('\n');
}

export function markdown({ sentence, facts, figure, rows, link }: Shared): string {
  return [
    `**${plain(sentence)}**`,
    facts.length > 0 ? table([[SHARING.number, SHARING.value], ...facts]) : '',
    figure ? `![${plain(figure.label)}](${figure.address})` : '',
    table(rows),
    link === null ? SHARING.noLink : `[${SHARING.open}](${link})`,
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

/** A line for a list of references. */
export const citation = (link: string, day: Date) =>
  `${SHARING.citation(VERSION, link, day.toISOString().slice(0, 10))}\n`;
