// Words of a baseline on the first screen, in Chinese.

import type { d as english } from '../difference';
import { say } from './messages';

export const d: typeof english = {
  before: '与上一次运行比较',
  pin: '保留以便比较',
  pinned: '已保留 ✓',
  pinHelp: '保留这次运行，并与之后的运行比较',
  twin: (name: string, better: boolean) => `与${better ? '更好的写法' : '朴素的写法'}比较：${say(name)}`,
  sizes: (sizes: Record<string, string>, better: boolean) =>
    better
      ? Object.entries(sizes)
          .map(([name, value]) => `${name} = ${value}`)
          .join('，')
      : `源码自身的 ${Object.keys(sizes).join('、')}`,
  baseline: '基准',
};
