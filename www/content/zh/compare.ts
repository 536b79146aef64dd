// Words of the comparison with a baseline, in Chinese.

import type { ComparedNumber, FileId, GpuNumbers, Model } from '../../engine/types';
import type * as english from '../compare';
import type { Moved } from '../compare';
import { type Conclusion, type CountId, isSmall, type Reason } from '../conclusion';
import { bytes, count, mean, percent, percent1 } from './format';
import { busiestPart, clockOf, g, prefixed, time } from './gpu';
import type { Margin } from '../margin';
import { className, s } from './strings';

const names: Record<string, string> = {
  seconds: g.facts.time,
  cycles: g.facts.cycles,
  ticks: s.verdict.ticks,
  loads: g.facts.loads,
  requests: s.verdict.requests,
  requests_per_load: s.verdict.perLoad,
  least_per_load: s.verdict.least,
  l1_bytes: s.verdict.fetched,
  dram_bytes: g.facts.dramToL2,
  least_bytes: s.verdict.leastBytes,
  written_bytes: '写入 L2',
  miss_rate: s.verdict.missRate,
  compulsory: `${className.compulsory}未命中`,
  capacity: `${className.capacity}未命中`,
  associativity: `${className.associativity}未命中`,
  latency: `${className.latency}未命中`,
  l1_hit_rate: g.facts.l1,
  l2_hit_rate: g.facts.l2,
  instructions: g.facts.instructions,
  load_wavefronts: g.shared.loads,
  store_wavefronts: g.shared.stores,
  occupancy: g.shared.occupancy,
  working_cores: g.shared.cores,
  counted_sectors: g.shared.counted,
  atomic_sectors: g.shared.atomics,
};

const gpuNames: typeof names = {
  requests_per_load: g.facts.perLoad,
  least_per_load: g.facts.least,
  l1_bytes: g.facts.l2ToL1,
};

export const numberName = (key: string, model: Model) =>
  (model === 'gpu' ? gpuNames[key] : undefined) ?? names[key] ?? key;

const points = (fraction: number) => `${(100 * fraction).toFixed(1)} 个百分点`;

const NOTHING = '±0';

export function signedBy(difference: number, format: (n: number) => string): string {
  const plain = format === percent1 ? points : format;
  const text = plain(Math.abs(difference));
  return difference === 0 || text === plain(0) ? NOTHING : `${difference < 0 ? '−' : '+'}${text}`;
}

export const unitFormat: typeof english.unitFormat = { count, bytes, seconds: time, share: percent1, mean };

export const legends: typeof english.legends = {
  histogram: '线是基准。',
  timeline: '虚线是基准。',
  sets: '基准使用相同的颜色刻度。',
  flow: '基准使用相同的箭头刻度。',
  cores: '线是基准的扇区数。',
  roofline: '灰点是基准。',
};

const reasons: Record<ComparedNumber['scope'], string> = {
  all: '只有其中一个模型有它们',
  unit: '一个模型以缓存行计，另一个以扇区计',
  time: '节拍不是周期',
  model: '各模型对未命中的计法不同',
};

function times(ratio: number): string {
  const digits = Math.abs(ratio - 1) < 0.005 ? 4 : 3;
  return `×\u202f${ratio >= 99.95 ? count(ratio) : Number(ratio.toPrecision(digits))}`;
}

function behind(before: GpuNumbers, now: GpuNumbers): string {
  const change = (of: (n: GpuNumbers) => string) => (of(before) === of(now) ? of(now) : `${of(before)} → ${of(now)}`);
  const clock = change((n) => prefixed(clockOf(n), 'Hz'));
  const busiest = change((n) => g.busy(busiestPart(n), n));
  return `时钟：${clock}。最忙的部分：${busiest}。调度器周期最多用于：${change(g.mostly)}。`;
}

const factor = (ratio: number) => (ratio < 1.995 ? `${Number(ratio.toFixed(2))}` : mean(ratio));

/** How many there are beside before, after a verb or a noun: "是之前的 1/6.6", "是之前的 1.4 倍", "多 3 %". */
function amount(ratio: number): string {
  if (isSmall(ratio)) return `${ratio < 1 ? '少' : '多'} ${percent(Math.abs(ratio - 1))}`;
  return `是之前的 ${ratio < 1 ? `1/${factor(1 / ratio)}` : `${factor(ratio)} 倍`}`;
}

const counted: Record<CountId, string> = {
  sectors: '加载请求的扇区',
  fromL2: 'L1 从 L2 读取的字节',
  fromDram: 'L2 从 DRAM 读取的字节',
  written: '写入 L2 的字节',
  atomics: '原子操作在 L2 改变的扇区',
  wavefronts: '共享内存的波前',
  instructions: '指令',
};

function reasonText(reason: Reason): string {
  if (reason.of !== 'clock') return `${counted[reason.of]}${amount(reason.ratio)}`;
  const { cycles, before, now } = reason;
  const clock = `时钟更${now > before ? '快' : '慢'}（${prefixed(before, 'Hz')} → ${prefixed(now, 'Hz')}）`;
  return `${cycles === 1 ? '周期相同' : `周期${amount(cycles)}`}，${clock}`;
}

function errorText({ error, unknown, sameGpu }: Margin): string {
  const where = sameGpu ? '此 GPU' : unknown === 1 ? '其中一个 GPU' : '这些 GPU';
  if (unknown === 0) return `而它在${where} 上的平均误差是 ${percent(error)}`;
  return `而它在${where} 上的误差未知（假定 ${percent(error)}）`;
}

function conclusion(told: Conclusion, most: Moved | null = null): string {
  switch (told.kind) {
    case 'same':
      return '没有差异。';
    case 'within': {
      const { ratio, margin } = told;
      if (ratio === 1 && most) return `用时相同。差异最大的是：${most.name}，${most.before} → ${most.now}。`;
      if (ratio === 1) return '用时相同，其他数值有差异。';
      const change = `用时${ratio < 1 ? '少' : '多'} ${percent(Math.abs(ratio - 1))}`;
      return `没有模型能分辨的差异：${change}，${errorText(margin)}。`;
    }
    case 'time': {
      const { ratio, reason, margin, cores } = told;
      const times = ratio < 1 ? `速度是之前的 ${factor(1 / ratio)} 倍` : `用时是之前的 ${factor(ratio)} 倍`;
      const work = cores === null ? '' : `两者都有 ${count(cores)} 个核心有工作。`;
      return `${times}${reason ? `：${reasonText(reason)}` : ''}。${work}这超出模型误差所能解释的：${errorText(margin)}。`;
    }
    case 'l1': {
      const { requests, bytes: moved, rate } = told;
      const [before, now] = rate.map(percent1);
      const parts = [
        requests === 1 ? '' : `请求${amount(requests)}`,
        moved === null || moved === 1 ? '' : `进入 L1 的字节${amount(moved)}`,
        before === now ? '' : `未命中率从 ${before} ${rate[1] < rate[0] ? '降' : '升'}到 ${now}`,
      ].filter(Boolean);
      return `${parts.join('，') || '请求和未命中率相同'}。`;
    }
  }
}

export const c: typeof english.c = {
  heading: '与基准比较',
  on: (kernel: string, gpu: string) => `${kernel}，${gpu}`,
  nothing: NOTHING,
  conclusion,
  noLossOfHits: (fewer: number) => `L1 命中率较低不是损失：扇区只有之前的 1/${factor(fewer)}。`,
  noLossOfMisses: (fewer: number) => `未命中率较高不是损失：请求只有之前的 1/${factor(fewer)}，其中未命中的并不更多。`,
  capacity:
    '大小不变，容量未命中却不同：路数改变后未命中的是另一些请求，因此线程束在另一些时刻等待，请求以另一种顺序到来。',
  models: (before: Model, now: Model) => `模型不同（“${before}”，现在“${now}”），因此只比较两者计法相同的数值。`,
  runIn: (model: Model) => `在模型“${model}”中运行当前的核函数`,
  swap: '交换',
  swapHelp: '显示基准，并与这次运行比较',
  kept: '已保留。现在改变 GPU、参数或核函数。',
  unpin: '停止比较',
  of: (kernel: string, now: string) => (kernel === now ? `核函数 ${now}。` : `基准：${kernel}。现在：${now}。`),
  kernel: '基准的核函数',
  changed: '改变的输入',
  itself: '这次运行就是基准。现在改变 GPU、参数或核函数：差异会显示在这里。',
  unchanged: '输入没有差异。',
  input: (name: string, before: string, now: string) => `${name}：${before} → ${now}`,
  inputs: {
    kernel: '核函数',
    launch: '启动',
    form: '访问',
    text: '源码',
    gpu: 'GPU',
    model: '模型',
    state: '缓存',
    seed: '种子',
    warm: '热缓存',
    kernels: '运行的核函数',
    edited: '已编辑',
    files: (list: string[]) => (list.length > 2 ? `${list[0]} 等 ${list.length} 个` : list.join(' 和 ')),
    own: 'GPU 自身的值',
    asWritten: '按源码',
    all: '全部',
  },
  number: '数值',
  baseline: '基准',
  now: '现在',
  change: '变化',
  times,
  verdict: { better: '更好', worse: '更差', same: '相同', unsure: '差距太小，无法判断' },
  notCompared: (list: string[], scope: ComparedNumber['scope']) => `${list.join('、')}：${reasons[scope]}。`,
  others: (n: number) => `${count(n)} 个数值不比较`,
  behind,
  none: '这两次运行没有共同的数值。',
  running: '正在运行链接中的基准…',
  wanted: (files: FileId[]) => `链接中的基准需要 ${files.map((f) => f.name).join('、')}。打开后即可比较。`,
  open: '打开基准的文件…',
  failed: '基准无法运行。',
  notReproduced: '基准的结果与链接所承诺的不同。',
};
