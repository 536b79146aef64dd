// Every text about how sure a result is, in Chinese.

import type { Model } from '../../engine/types';
import type { FOLLOWED as english, q as words } from '../sure';

import { timeErrors } from '../time-errors';
import { time } from '../gpu-numbers';
import { count, percent, percent1 } from './format';
import { say } from './messages';

export const FOLLOWED: typeof english = {
  paper: { name: 'miss_rate', title: '未命中率', show: percent },
  reference: { name: 'miss_rate', title: '未命中率', show: percent },
  gpu: { name: 'seconds', title: '时间', show: time },
};

function between(model: Model, [low, high]: [number, number]): string {
  const [a, b] = [low, high].map(FOLLOWED[model].show) as [string, string];
  return a === b ? a : `${a} 至 ${b}`;
}

export function errorSentence(gpu: string, isChanged: boolean, seconds: number): string {
  const own = isChanged ? undefined : timeErrors[gpu];
  const all = Object.values(timeErrors).map(({ error }) => error);
  const range = `${percent(Math.min(...all))} 至 ${percent(Math.max(...all))}`;
  const here = `在此处的 ${time(seconds)} 中占 ${time(seconds * (own?.error ?? Math.max(...all)))}`;
  return own
    ? `与硬件相比：此 GPU 上测过的 ${count(own.launches)} 次启动，时间平均相差 ${percent(own.error)}，${here}。在测过的 ${count(all.length)} 种 GPU 上，平均误差为 ${range}。`
    : `与硬件相比：此处未知，因为没有人测过${isChanged ? '这样改动过的 GPU' : '此 GPU'}。在测过的 ${count(all.length)} 种 GPU 上，时间的平均误差为 ${range}。其中最大者${here}；单个时间可能偏离更多。`;
}

export const q: typeof words = {
  seeds: (model: Model, range: [number, number], runs: number, alone: boolean) =>
    `${alone ? '' : '全部核函数的'}${FOLLOWED[model].title}，种子 1 至 ${count(runs)}：${between(model, range)}。`,
  most: (model: Model, label: string, now: number, at: [number | null, number | null], aside: boolean) => {
    const told = at.flatMap((value, i) =>
      value === null ? [] : [`${i === 0 ? '减半' : '加倍'}时为 ${FOLLOWED[model].show(value)}`],
    );
    return `${aside ? '除官方数值外，' : ''}它最依赖“${say(label)}”：该值${told.join('，')}，现为 ${FOLLOWED[model].show(now)}。`;
  },
  assumed: (most) =>
    most === null
      ? '没有假定值能使它变化 0.05\u202f%。'
      : `在假定值中，“${say(most.label)}”影响最大：${percent1(most.change)}。`,
  none: '任何参数减半或加倍都不会使它变化 0.05\u202f%。',
  models: (model: Model, other: string, value: number) => `模型“${other}”：${FOLLOWED[model].show(value)}。`,
  hint: (model: Model, alone: boolean) =>
    `每次把一个参数减半或加倍、其余不变时，${alone ? '该核函数' : '全部核函数'}的${FOLLOWED[model].title}。变化小于 0.05\u202f% 的参数不列出。`,
  beyond: (part: string) => `最忙的部分决定了这个时间，而没有参数与它有关（${part}），所以此表在这里说明不了多少。`,
  parameter: '参数',
  known: '如何得知',
  value: '值',
  half: '减半时',
  double: '加倍时',
  change: '最大变化',
  refused: '–',
  running: '正在用其他种子和参数运行核函数…',
  run: '运行',
  stopped: '已停止。已得到的结果保留。',
};
