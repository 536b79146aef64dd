// Every text of the self-check in Chinese.

import type { p as english } from '../papers';
import type { Translated } from '../translated';
import { count } from './format';
import { say } from './messages';

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)}\u202fs`;

function standing(runs: boolean, done: number, all: number): string {
  if (runs) return '页面正在本机计算。';
  if (done === 0) return '尚未运行：“运行全部行”会在本机全部计算。';
  return `页面已在本机计算了${done < all ? ` ${count(all)} 行中的 ${count(done)} 行` : '全部行'}。`;
}

export const p: Translated<typeof english> = {
  setup: '运行',
  intro: (runs: boolean, done: number, all: number) =>
    `四篇论文印出或测得的值，与本页模型的值并列。${standing(runs, done, all)}不一致的行也留在列表中。`,
  run: '运行全部行',
  again: '再次运行全部',
  runOne: '运行此行',
  runs: '正在运行…',
  working: '正在运行各行',
  rows: (done: number, all: number) => `${count(all)} 行中的 ${count(done)} 行`,
  done: (all: number, ms: number) => `${count(all)} 行已完成，用时 ${seconds(ms)}。`,
  cancelled: (done: number, all: number) => `已取消。${count(all)} 行中已完成的 ${count(done)} 行保留。`,
  show: '显示',
  filters: { all: '全部', red: '红色', differs: '不精确' },
  none: '没有运行过这一类的行。',
  json: '保存为 JSON',
  csv: '保存为 CSV',
  terminal: '在终端做同样的事：',
  command: 'warpscope check',
  totals: (exact: number, differs: number, cannot: number, red: number) =>
    `${count(exact)} 行精确，${count(differs)} 行不同，${count(cannot)} 行无法比较。${count(red)} 行为红色。`,
  unexpected: (n: number) => `${count(n)} 行的结果与此列表所述不同。这是缺陷：请报告。`,
  verdicts: { exact: '精确', differs: '不同', cannot: '无法比较', failed: '失败' },
  notRun: '未运行',
  red: '红色',
  meaning: [
    ['精确', '所有值在公布的位数内相等。'],
    ['不同', '至少一个值不相等。该行说明原因。'],
    ['无法比较', '没有可比较的值。该行说明原因。'],
    ['红色', '差异大于该行所述的界。'],
  ],
  words: '用语',
  open: '打开这次运行',
  label: '项目',
  published: { printed: '印出', hardware: '实测', own: '我们的文档', none: '公布' },
  ours: '我们的',
  difference: '差异',
  equal: '相等',
  unequal: '不相等',
  values: (item: string) => `${say(item)} 的值`,
  unit: (unit: string) => `单位：${say(unit)}。`,
  bound: (bound: number, unit: string, relative: boolean) =>
    `差异超过 ${bound}${relative ? '\u202f%' : ` ${unit === '%' ? '个百分点' : say(unit)}`} 时该行为红色。`,
  worst: (text: string) => `最大差异 ${text}`,
  number: (value: number, relative: boolean) => {
    const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 2 : 4;
    return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}${relative ? '\u202f%' : ''}`;
  },
};
