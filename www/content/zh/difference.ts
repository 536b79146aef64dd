// Words of a baseline on the first screen, in Chinese.

import type { d as english } from '../difference';
import { say } from './messages';

export const d: typeof english = {
  pin: '固定为基准',
  pinShort: '固定',
  pinRest: '为基准',
  pinHelp: '保留这次运行，并与之后的运行比较',
  pinned: '这次运行就是基准。改变输入即可看到差异。',
  twin: (name: string, better: boolean) => `与${better ? '更好的写法' : '朴素的写法'}比较：${say(name)}`,
  sizes: (sizes: Record<string, string>) =>
    Object.entries(sizes)
      .map(([name, value]) => `${name} = ${value}`)
      .join('，') || '自身的规模',
  baseline: '基准',
};
