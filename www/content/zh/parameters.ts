// 参数列表的文字：搜索，以及引擎拒绝的值。

import type { parameterWords as words } from '../parameters';

export const parameterWords: typeof words = {
  search: '搜索参数',
  none: '没有含这些词的参数。',
  refused: '被拒绝',
  refusedHelp: (expected, found) => `此值被拒绝。应为${expected}；实为${found}。`,
};
