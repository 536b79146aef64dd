// Words of the model `gpu`, in Chinese.

import type { GpuKernelReport, GpuMissClasses, GpuNumbers, GpuRoofline, Work } from '../../engine/types';
import type { CLASSES as englishClasses, g as words, STALLS as englishStalls } from '../gpu';
import { busiestPart, LIMITS, mainStall, missesOf, type PartId, perByte, prefixed, SECTOR, time } from '../gpu-numbers';
import { bytes, count, percent, share } from './format';
import { askedSentence, besideLeast } from './work';

export * from '../gpu-numbers';

export const partName: Record<PartId, string> = {
  issue: '调度器',
  pipe: '加载存储流水线',
  requests: '到 L2 的链路',
  l2: 'L2 分片',
  dram: 'DRAM 通道',
  replies: '来自 L2 的链路',
};

const FEW = 0.5;

export function gpuSentence(n: GpuNumbers, w: Work): string {
  return `用时 ${time(n.seconds)}（${count(n.cycles)} 个周期）。${askedSentence(w, ['请求', '个扇区'])}`;
}

export function gpuMeaning(n: GpuNumbers, w: Work, cores: number): string {
  const fetched = besideLeast(w, w.l1_bytes, `${bytes(w.l1_bytes)} 从 L2 搬到 L1`);
  const moved = `${fetched}。${bytes(SECTOR * n.dram.reads)} 从 DRAM 搬到 L2。`;
  const part = busiestPart(n);
  const most = n.busy[part];
  const busy =
    most >= LIMITS
      ? `${partName[part]}有 ${percent(most)} 的时间忙碌，超过其他任何部件。`
      : `没有部件忙碌的时间过半（最忙的是${partName[part]}：${percent(most)}），因此线程束主要在等待应答。`;
  const hits = n.l1.sectors === 0 ? '' : `${percent(n.l1.hit_rate)} 的扇区在 L1 命中。`;
  const few = n.working_cores < FEW * cores ? `${count(cores)} 个核心中只有 ${count(n.working_cores)} 个有工作。` : '';
  return moved + busy + few + hits;
}

export const STALLS: typeof englishStalls = [
  { id: 'issued', colour: 'hits', term: 'stall_issued', name: '发射' },
  { id: 'load', colour: 'capacity', term: 'stall_load', name: '等待加载' },
  { id: 'pipe', colour: 'associativity', term: 'stall_pipe', name: '等待流水线' },
  { id: 'shared', colour: 'compulsory', term: 'stall_shared', name: '等待共享内存' },
  { id: 'barrier', colour: 'latency', term: 'stall_barrier', name: '等待栅障' },
  { id: 'launch', colour: 'block-start', term: 'stall_launch', name: '等待线程块启动' },
  { id: 'arithmetic', colour: 'mshr', term: 'stall_arithmetic', name: '等待算术' },
];

export const CLASSES: typeof englishClasses = [
  { id: 'compulsory', colour: 'compulsory', term: 'sector_compulsory', name: '强制性' },
  { id: 'capacity', colour: 'capacity', term: 'sector_capacity', name: '容量' },
  { id: 'conflict', colour: 'associativity', term: 'sector_conflict', name: '冲突' },
  { id: 'dropped', colour: 'latency', term: 'sector_dropped', name: '被存储丢弃' },
];

const limitName: Record<string, string> = { units: '算术', L2: 'L2', DRAM: 'DRAM' };

type CoreRows = GpuKernelReport['rows']['cores'];

function spreadOf(rows: CoreRows, cores: number): string {
  const sectors = rows.map((row) => row.l1_sectors);
  const [least, most] = [Math.min(...sectors), Math.max(...sectors)];
  return `${count(cores)} 个核心中有 ${count(rows.length)} 个执行加载；最多的查找 ${count(most)} 个扇区，最少的 ${count(least)} 个。`;
}

export const g: typeof words = {
  of: (gpu: string) => `${gpu}，模型“gpu”`,
  facts: {
    time: '时间',
    cycles: '周期',
    loads: '加载',
    perLoad: '每次加载的扇区',
    least: '最少可能',
    l2ToL1: 'L2 → L1',
    dramToL2: 'DRAM → L2',
    leastBytes: '最少需搬运',
    busiest: '最忙的部件',
    l1: 'L1 命中率',
    l2: 'L2 命中率',
    instructions: '指令',
    grid: '网格',
    block: '线程块',
  },
  busy: (part: PartId, n: GpuNumbers) => `${partName[part]}，${percent(n.busy[part])}`,
  mostly: (n: GpuNumbers) => {
    const { id, part } = mainStall(n);
    return g.stall(STALLS.find((stall) => stall.id === id)!.name, part);
  },
  stall: (name: string, part: number) => `${name}，${percent(part)}`,
  sampled: (cores: number) => `只模拟了 ${count(cores)} 个核心来代表全部。`,
  flow: {
    heading: '字节去了哪里？',
    hint: '蓝色箭头：读取。绿色箭头：写入。',
    label: (n: GpuNumbers) =>
      `各级之间的字节。寄存器经 L1 读取 ${bytes(SECTOR * n.l1.sectors)}，L1 从 L2 读取 ${bytes(SECTOR * n.l2.reads)}，L2 从 DRAM 读取 ${bytes(SECTOR * n.dram.reads)}。写入 L2 ${bytes(SECTOR * (n.l2.writes + n.l2.atomics))}，写入 DRAM ${bytes(SECTOR * n.dram.writes)}。最忙的部件：${g.busy(busiestPart(n), n)}。`,
    path: '从 → 到',
    sectors: '扇区',
    bytes: '字节',
    hits: '命中',
    rate: '命中率',
    rows: {
      load: 'L1 → 寄存器',
      read: 'L2 → L1',
      fetch: 'DRAM → L2',
      write: '寄存器 → L2',
      atomic: 'L2 处的原子操作',
      back: 'L2 → DRAM',
    },
  },
  stalls: {
    heading: '线程束在等什么？',
    hint: '对所有有线程束的调度器求和的周期，因此多于核函数的周期：发射了指令的周期，以及等待的周期，按下一个线程束所等待的对象划分。',
    bar: (parts: string) => `对所有调度器求和的周期：${parts}`,
  },
  parts: {
    heading: '各部件有多忙？',
    part: '部件',
    busy: '忙碌',
    share: '占时间的比例',
    mark: '最忙',
  },
  roofline: {
    heading: '屋顶线：核函数每字节的计算量',
    what: '数值',
    value: '值',
    unknown: '轨迹没有说明指令是什么，因此没有屋顶线。',
    none: '核函数没有浮点指令，因此没有屋顶线。',
    notFlop: '操作数是线程数乘以指令数，不是 ',
    flop: 'FLOP',
    sentence: (r: GpuRoofline) =>
      `每秒 ${prefixed(r.operations_per_second)} 次操作，是该字节数下${limitName[r.limit] ?? r.limit}所允许的 ${prefixed(r.attainable_operations_per_second)} 次的 ${percent(share(r.operations_per_second, r.attainable_operations_per_second))}。`,
    label: (r: GpuRoofline) =>
      `屋顶线。${g.roofline.sentence(r)}每字节 DRAM 的操作数：${perByte(r.per_dram_byte)}，每字节 L2：${perByte(r.per_l2_byte)}。`,
    rows: {
      operations: '操作数',
      reached: '每秒操作数',
      attainable: '该字节数下可达到',
      perDram: '每字节 DRAM 的操作数',
      perL2: '每字节 L2 的操作数',
      units: '算术上限',
      l2: 'L2 上限',
      dram: 'DRAM 上限',
    },
  },
  cores: {
    heading: '各核心（SM）的工作',
    core: '核心',
    sentence: (rows: CoreRows, cores: number) => `${spreadOf(rows, cores)}灰色：L1 中有的扇区。橙色：L1 中没有的扇区。`,
    label: (rows: CoreRows, cores: number) => `各核心的加载所查找的扇区。${spreadOf(rows, cores)}`,
  },
  shared: {
    heading: '启动、占用率与共享内存',
    brief: (n: GpuNumbers) => `占用率 ${percent(n.occupancy)}`,
    loads: '加载的波前',
    stores: '存储的波前',
    occupancy: '占用率',
    cores: '有工作的核心',
    counted: '计数器口径的扇区',
    atomics: '原子操作修改的扇区',
  },
  rows: {
    arrays: '各数组搬运的字节',
    instructions: '各指令搬运的字节',
    lines: '各源码行搬运的字节',
    moved: 'L2 字节',
    share: '占全部',
    dram: 'DRAM 字节',
    perLoad: '每次加载的扇区',
    perStore: '每次存储的扇区',
    each: '每请求的扇区',
    requests: '请求',
    wavefronts: '波前',
    mark: (moved: number, part: string, requests: number) =>
      `核心与 L2 之间 ${bytes(SECTOR * moved)}，占全部的 ${part}，共 ${count(requests)} 个请求`,
    hint: '每一行在核心与 L2 之间搬运的字节。',
  },
  kernels: {
    time: '时间',
    cycles: '周期',
    perLoad: '每次加载的扇区',
    total: (n: number, seconds: number) => `${count(n)} 个核函数共用时 ${time(seconds)}。`,
  },
  why: {
    heading: '按类别统计的未命中',
    ask: '在 L1 未命中的扇区，或是第一次在那里使用，或是没有容身之处，或是与太多缓存行共用一组。为区分这些情况，核函数要再运行一次，用时稍长。',
    none: '没有加载的扇区在 L1 未命中。',
    run: '它们为什么未命中？',
    without: '不分类别地运行',
    sentence: (c: GpuMissClasses) =>
      `${count(missesOf(c))} 个扇区在 L1 未命中。${c.line_there > 0 ? `其中 ${percent(share(c.line_there, missesOf(c)))} 的缓存行在 L1 中，但缺这个扇区：未命中只取回 ${SECTOR} 字节的扇区，而不是整个缓存行，所以每个扇区的首次使用都是强制性未命中。` : ''}`,
    bar: (parts: string) => `未命中的扇区：${parts}`,
    misses: '未命中',
    lineThere: '缓存行在',
    arrays: '按数组统计的未命中',
    instructions: '按指令统计的未命中',
    text: '模型“paper”把一个 Fermi L1 的每个未命中归入一类，可按数组、指令、组和源码行查看。',
    open: '在 Fermi GPU 上用模型“paper”运行',
  },
  state: {
    label: '启动前的缓存',
    names: {
      cold: 'cold：空',
      copies: 'copies：主机拷贝之后',
      replay: 'replay：如 nvprof 的测量',
      warm: 'warm：上一个核函数之后',
    },
    help: {
      cold: '所有缓存为空，Nsight Compute 默认如此。',
      copies: '主机刚拷贝了有数据的数组，因此 L2 中是其中最后的部分。',
      replay: '核函数运行一次，恢复它写过的数组，以第二次运行为准。',
      warm: 'L2 中是上一个核函数留下的内容。第一个核函数从“copies”状态开始。',
    },
  },
  warm: '模型“gpu”用“warm”状态表示这一点。',
  facts_of_gpu: 'GPU 的全部数值',
  facts_help: '改变一个值，看看另一种 GPU 会怎样。这里不能改的值，可把 GPU 保存为 JSON，修改后放回页面。',
};
