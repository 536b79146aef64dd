// Every text about how sure a result is, in Chinese.

import type { Model } from '../../engine/types';
import type { FOLLOWED as english, q as words } from '../sure';
import { count, percent } from './format';
import { say } from './messages';

export const FOLLOWED: typeof english = {
  paper: { name: 'miss_rate', title: '未命中率', show: percent },
  reference: { name: 'miss_rate', title: '未命中率', show: percent },
  gpu: { name: 'cycles', title: '周期', show: count },
};

function between(model: Model, [low, high]: [number, number]): string {
  const [a, b] = [low, high].map(FOLLOWED[model].show) as [string, string];
  return a === b ? a : `${a} 至 ${b}`;
}

const NO_ERROR =
  '这不是与硬件相比的误差：那个误差在结论中，写在时间旁边。这里没有参数的量，例如加载存储流水线的速率和时钟频率，不作改变。';

export const q: typeof words = {
  seeds: (model: Model, range: [number, number], runs: number, alone: boolean) =>
    `${alone ? '' : '全部核函数的'}${FOLLOWED[model].title}，种子 1 至 ${count(runs)}：${between(model, range)}。`,
  most: (model: Model, label: string, at: [number | null, number | null]) => {
    const told = at.flatMap((value, i) =>
      value === null ? [] : [`${i === 0 ? '减半' : '加倍'}时为 ${FOLLOWED[model].show(value)}`],
    );
    return `它最依赖“${say(label)}”：该值${told.join('，')}。`;
  },
  none: '任何参数减半或加倍都不会使它变化 0.05\u202f%。',
  models: (model: Model, other: string, value: number) => `模型“${other}”：${FOLLOWED[model].show(value)}。`,
  hint: (model: Model, alone: boolean) =>
    `每次把一个参数减半或加倍、其余不变时，${alone ? '该核函数' : '全部核函数'}的${FOLLOWED[model].title}。变化小于 0.05\u202f% 的参数不列出。${model === 'gpu' ? NO_ERROR : ''}`,
  parameter: '参数',
  value: '值',
  half: '减半时',
  double: '加倍时',
  change: '最大变化',
  refused: '–',
  running: '正在用其他种子和参数运行核函数…',
  run: '运行',
  stopped: '已停止。已得到的结果保留。',
};
