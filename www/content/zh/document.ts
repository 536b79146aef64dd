// The document itself, in Chinese.

import type { page as english } from '../document';

export const page: typeof english = {
  language: 'zh',
  tag: 'zh-Hans',
  title: 'Warpscope：GPU 访存为什么未命中',
  description: '看清 GPU 核函数的访存代价，以及它们为什么未命中。放入访存轨迹即可，数据不会离开浏览器。',
  languages: '语言',
};
