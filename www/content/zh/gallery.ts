// The words of the gallery, in Chinese.

import { LESSONS as english, type gallery as words } from '../gallery';

const names = ['相邻线程', '用分块共享', '邻域', '同时按行和按列', '不规则地址', '求和与计数', '从外部看缓存'];

/** In the order of the English ones, whose kernels they have. */
export const LESSONS = english.map(({ name, kernels }, i) => ({ name: names[i] ?? name, kernels }));

export const gallery: typeof words = {
  open: '浏览…',
  heading: '示例',
  search: '搜索',
  close: '关闭',
  hint: '每幅图中，一行是线程束最初的一次访问，一列是一个束内线程。颜色相同的相邻格触及同一个 128 字节的缓存行。',
  none: '没有含这些词的示例。',
  inUse: '正在使用',
  pattern: (most: number) => `线程束的一次访问最多触及 ${most} 个缓存行。`,
};
