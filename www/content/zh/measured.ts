// Words of a profiler's counters beside the model's, in Chinese.

import type { CheckedCounter, ProfileComparison, ProfileInfo } from '../../engine/types';
import { counted, errorOf as english, type m as words } from '../measured';
import { count } from './format';

export { counted };

export function errorOf(counter: CheckedCounter): string {
  if (counter.error === null) return m.noShare;
  return Math.abs(counter.error) < 0.005 ? m.exact : english(counter).replace(/pt$/, '个百分点');
}

const on = (device: string) => (device === '' ? '' : `在 GPU ${device} 上`);

export const m: typeof words = {
  heading: '实测与模型',
  lead: ({ tool, device }: ProfileComparison, kernel: string) => `${kernel}：${tool} ${on(device)}的实测值与模型值。`,
  set: ({ tool, state }: ProfileInfo) =>
    `${tool} 的文件已把模型设为“gpu”，把启动前的缓存设为“${state}”，与该工具的测量方式一致。`,
  other: (tool: string) => `${tool} 没有这个核函数的启动。请在上面选择另一个核函数。`,
  none: (tool: string) => `${tool} 测量的启动都不属于这些核函数。`,
  counter: '计数器',
  measured: '实测',
  modelled: '模型',
  error: '误差',
  exact: '精确',
  noShare: '无占比',
  differs: '已知的差异',
  file: ({ tool, launches }: ProfileInfo) => `性能剖析：用 ${tool} 测量的 ${count(launches)} 次启动，在模型“gpu”中比较`,
};
