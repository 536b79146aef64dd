// Every text of the Cache tab's sweep, in Chinese.

import type { Diagnostic } from '../../engine/types';
import type { w as english } from '../sweep';
import { count, percent1 } from './format';
import { say } from './messages';

const measures: Record<string, string> = {
  requests: '请求',
  hits: '命中',
  miss_rate: '未命中率',
  miss_rate_with_latency: '含延迟未命中的未命中率',
  compulsory: '强制性未命中',
  capacity: '容量未命中',
  associativity: '相联度未命中',
  latency: '延迟未命中',
  mshr: 'MSHR 未命中',
  ticks: '节拍',
  cycles: '周期',
  seconds: '时间',
  instructions: '线程束指令',
  l1_requests: '加载',
  l1_sectors: 'L1 处的扇区',
  l1_hits: 'L1 命中',
  l1_hit_rate: 'L1 命中率',
  l2_reads: '从 L2 读取的扇区',
  l2_read_hits: 'L2 命中',
  l2_hit_rate: 'L2 命中率',
  l2_writes: '写入 L2 的扇区',
  dram_reads: '从 DRAM 读取的扇区',
  dram_writes: '写入 DRAM 的扇区',
  shared_wavefronts: '共享内存的波前',
};

const isRate = (name: string) => name.endsWith('_rate') || name.endsWith('with_latency');

export const w: typeof english = {
  before: '这些点属于较早的结果。',
  hint: '对每个值运行一次此结果的核函数，用上本机的所有核。每一行是单独的一次运行，其指纹与单次运行的相同。',
  first: '参数',
  second: '第二个参数',
  none: '无',
  values: '取值',
  valuesHelp: '可写列表如 1,2,4,8，范围如 1..8，倍数如 x1/2,x1,x2，或写 factors，表示四分之一到四倍。',
  scenario: { gpu: 'GPU', state: '缓存的状态', seed: '种子', without: '每次关闭一种机制' },
  addGpu: '添加 GPU…',
  fastest: (name: string, time: string, beside: string[]) =>
    `最快：${name}，${time}。${beside.length === 0 ? '' : `在模型的误差之内同样快：${beside.join('；')}。`}`,
  noOrder: '这些值没有顺序，所以各点之间不连线。',
  run: '运行',
  again: '再次运行',
  working: '正在运行各点',
  points: (done: number, all: number) => `${count(all)} 个点中的 ${count(done)} 个`,
  cancelled: (done: number, all: number) => `已取消。${count(all)} 个点中已完成的 ${count(done)} 个保留。`,
  done: (all: number) => `${count(all)} 个点已完成。`,
  gone: '请先运行核函数。文件已不在此处的结果无法改变参数。',
  shows: '图中显示',
  chart: (measure: string, key: string) => `${measure}随 ${key} 的变化`,
  caption: '扫描的各点',
  failed: '没有结果',
  why: (n: number) => `${count(n)} 个点没有结果：`,
  kept: '这些点属于上一次扫描。',
  problem: (d: Diagnostic) => `应为 ${say(d.expected)}，实际 ${say(d.found)}。${say(d.help)}`,
  csv: '保存为 CSV',
  json: '保存为 JSON',
  order: Object.keys(measures),
  measure: (name: string) => measures[name] ?? name,
  value: (name: string, value: number) => {
    if (name === 'seconds') return `${(value * 1e6).toFixed(2)} µs`;
    return isRate(name) ? percent1(value) : count(value);
  },
};
