// Words of the filter, in Chinese.

import type { o as english } from '../only';
import { bytes, count, percent1, share } from './format';

export const o: typeof english = {
  list: '筛选',
  pick: '只显示与它有关的内容',
  all: '显示全部',
  counting: (name: string) => `${name}：正在统计…`,
  chip: (name: string, part: number, all: number, misses: number) =>
    `只看${name}：${count(all)} 个请求中的 ${count(part)} 个，${percent1(share(misses, part))} 未命中`,
  gpuChip: (name: string, [part, all]: [number, number], [moved, allMoved]: [number, number]) =>
    `只看${name}：${count(all)} 次访问中的 ${count(part)} 次，与 L2 之间 ${bytes(allMoved)} 中的 ${bytes(moved)}`,
  whole: {
    flow: '指向 DRAM 的箭头计入所有访问：缓存行在 L2 中的位置被另一行占用时才写到 DRAM。各部件的忙碌程度也不属于任何一次访问。',
    stalls:
      '与这些访问有关的等待，占全部周期的比例。等待流水线计在等待的访问上，无论是谁占着流水线。发射、算术、栅障和线程块的启动不属于任何访问，因此归入其他。',
    parts: '部件的忙碌程度不属于单次访问。这里计入所有访问，屋顶线也是如此。',
    others: '其他',
  },
  names: {
    array: (value: string) => `数组 ${value}`,
    line: (value: string) => `第 ${value} 行`,
    pc: (value: string) => `指令 ${value}`,
    set: (value: string) => `组 ${value}`,
    core: (value: string) => `核心 ${value}`,
    distance: (value: string) => `距离 ${value.replace('inf', '∞').replace('-', '–')}`,
  },
};
