// What is copied for other places, in Chinese: a result as Markdown, and how to cite it.

import about from '../../../package.json';

/** The version of the page. */
export const VERSION = about.version;

/** What is said once something was handed out. */
export const SHARING = {
  tooLong: '此状态太长，放不进链接。请下载为文件。把文件放到页面上，或交给“warpscope open”，它就像链接一样打开。',
  saved: '场景文件已保存。把它放到页面上即可打开。',
  markdownCopied: '已复制为 Markdown：句子、数值、第一幅图和链接。',
  citationCopied: '引用已复制。',
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
  const more = body.length > MOST_ROWS ? [`\n页面上另有 ${body.length - MOST_ROWS} 行。`] : [];
  return [line(head), line(head.map(() => '---')).replaceAll('\\', ''), ...rows, ...more].join('\n');
}

export function markdown({ sentence, facts, figure, rows, link }: Shared): string {
  return [
    `**${plain(sentence)}**`,
    facts.length > 0 ? table([['项目', '值'], ...facts]) : '',
    figure ? `![${plain(figure.label)}](${figure.address})` : '',
    table(rows),
    link === null ? '此状态太长，放不进链接。' : `[在 Warpscope 中打开此结果](${link})`,
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

/** The title as CITATION.cff has it, with the address and the day. */
export const citation = (link: string, day: Date) =>
  `The Warpscope authors. Warpscope: a zero-install lab for the GPU memory hierarchy. 版本 ${VERSION}。${link}（打开于 ${day.toISOString().slice(0, 10)}）。\n`;
