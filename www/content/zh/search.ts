// 参数搜索的文字。

import type { search as words } from '../search';

export const search: typeof words = {
  parameters: '搜索参数',
  none: '没有含这些词的参数。',
};
