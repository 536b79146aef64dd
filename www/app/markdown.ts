// A result as Markdown, and how to cite it.

import about from '../../package.json';
import { SHARING } from '../content/sharing';

/** The version of the page. */
export const VERSION = about.version;

interface Shared {
  sentence: string;
  /** Which kernel, on which GPU, by which model; empty where the tab has none. */
  of: string;
  /** Names and values. */
  facts: string[][];
  figure: { label: string; address: string } | null;
  /** The figure's numbers; the first row names the columns. */
  rows: string[][];
  /** How many rows the table has when all are on show. */
  all: number;
  link: string | null;
}

/** More rows than these are left to the page. */
const MOST_ROWS = 24;

/** A cell's text, with nothing that Markdown would read. */
const plain = (text: string) => text.replaceAll(/[\\`*_[\]<>|]/g, '\\$&');

function table([head, ...body]: string[][], all: number): string {
  if (!head) return '';
  const line = (cells: string[]) => `| ${cells.map(plain).join(' | ')} |`;
  const rows = body.slice(0, MOST_ROWS).map(line);
  const left = Math.max(all, body.length) - rows.length;
  const more = left > 0 ? [`\n${SHARING.more(left)}`] : [];
  return [line(head), line(head.map(() => '---')).replaceAll('\\', ''), ...rows, ...more].join('\n');
}

export function markdown({ sentence, of, facts, figure, rows, all, link }: Shared): string {
  return [
    `**${plain(sentence)}**`,
    plain(of),
    facts.length > 0 ? table([[SHARING.number, SHARING.value], ...facts], 0) : '',
    figure ? `![${plain(figure.label)}](${figure.address})` : '',
    table(rows, all),
    link === null ? SHARING.noLink : `[${SHARING.open}](${link})`,
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

/** A line for a list of references. */
export const citation = (link: string, day: Date) =>
  `${SHARING.citation(VERSION, link, day.toISOString().slice(0, 10))}\n`;
