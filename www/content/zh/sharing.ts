// What is said when a result is handed out, in Chinese.

import type { SHARING as english } from '../sharing';
import { count } from './format';

export const SHARING: typeof english = {
  tooLong:
    '当前状态太长，无法放入链接。请下载为文件；把文件拖到本页，或在终端交给“warpscope open”，效果与打开链接相同。',
  saved: '场景文件已保存。把它拖到本页即可打开。',
  markdownCopied: '已复制为 Markdown：结论、数值、第一张图和链接。',
  citationCopied: '引用已复制。',
  number: '指标',
  value: '数值',
  more: (rows) => `其余 ${count(rows)} 行见本页。`,
  noLink: '当前状态太长，无法放入链接。',
  open: '在 Warpscope 中打开此结果',
  citation: (version, link, day) =>
    `Warpscope 作者。Warpscope：免安装的 GPU 存储层次实验室。版本 ${version}。${link}（${day} 打开）。`,
};
