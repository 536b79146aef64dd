// The texts of the other changes of a kernel's text in Chinese.

import type { placementChanges as english } from '../placement-changes';
import { withNumbers } from '../placement-numbers';
import type { Translated } from '../translated';
import { count } from './format';
import { say } from './messages';

function changeName(name: string): string {
  const [what = '', shape] = name.split('=');
  const threads = shape?.replaceAll('x', '×');
  if (what === 'restrict') return '__restrict__';
  if (what === 'readonly') return '__ldg';
  if (what === 'padding') return '填充';
  if (!threads) return '其他线程块';
  return what === 'threads' ? `${threads} 的线程块，网格不变` : `${threads} 的线程块`;
}

export const placementChanges: Translated<typeof english> = (
  against: (ratio: number) => string,
  microseconds: (us: number) => string,
) => ({
  heading: '文本的其他改动',
  hint: '人们在放置之外也会尝试的改动：“__restrict__” 指针、用 “__ldg” 读取、填充共享数组的行、其他线程块。每种改动在数组的现有放置和推荐放置下各运行一次，先单独运行，再与其他更快的改动一起运行。结果不同的文本不采用。',
  start: '尝试其他改动',
  goOn: '继续',
  change: '改动',
  arrays: '数组',
  tie: '（持平）',
  refused: '不可行',
  names: (changes: string[]) => (changes.length === 0 ? '无' : changes.map(changeName).join('、')),
  text: (change: string, where: string) => `${change}；数组：${where}`,
  faster: (change: string, where: string, best: number, now: number, placed: number | null, tie: boolean) =>
    `最快：${change}；数组：${where}。用时 ${microseconds(best)}，${against(best / now - 1)}。${
      placed === null ? '' : `仅采用推荐放置时用时 ${microseconds(placed)}。`
    }${tie ? '两者相差太小，模型无法判断哪个更快。' : ''}`,
  none: '没有其他改动比推荐放置更快。',
  reason: (text: string) => withNumbers(say(text)),
  done: (n: number) => `完成：${count(n)} 种改动。`,
});
