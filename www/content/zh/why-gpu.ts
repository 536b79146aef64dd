// Every text of the steps through a run of the model `gpu`, in Chinese.

import type {
  GpuWhyReport,
  GpuWhyStep,
  GpuWhyUse,
  GpuWhyWhatIf,
  InstructionPlace,
  WhyLevel,
  WhyWarp,
} from '../../engine/types';
import type { wg as english } from '../why-gpu';
import { bytes, count } from './format';

const warp = ({ block, warp: index }: { block: number; warp: number }) => `线程块 ${count(block)} 的线程束 ${index}`;

const verbs: Record<string, string> = { load: '加载', store: '存储', atomic: '修改' };

const from: Record<WhyLevel, string> = { l1: '在 L1 命中', l2: '来自 L2', dram: '来自 DRAM' };

const classes: Record<string, string> = {
  compulsory: '强制性未命中',
  capacity: '容量未命中',
  associativity: '冲突未命中',
};

const lineOf = (step: GpuWhyStep) => step.lines[step.focus];

function outcome(step: GpuWhyStep): string {
  if (step.served === null) return '存储';
  if (step.class === null) return from[step.served];
  return `${className(step)}，${from[step.served]}`;
}

const className = (step: GpuWhyStep) => (step.dropped ? '存储之后的未命中' : (classes[step.class ?? ''] ?? '未命中'));

function headline(step: GpuWhyStep, array: string, place: InstructionPlace | undefined): string {
  const at = place?.line ? `（第 ${place.line} 行）` : place?.pc ? `（${place.pc}）` : '';
  const verb = verbs[place?.kind ?? 'load'] ?? '请求';
  return `周期 ${count(step.cycle)}：${warp(step)}，第 ${count(step.access)} 次访问${at}，${verb}${array && ` ${array} 的`} ${count(step.sectors)} 个扇区，位于 ${count(step.lines.length)} 个缓存行。`;
}

function served(step: GpuWhyStep): string {
  if (step.served === null) return '存储继续送往 L2，没有线程束等待它。';
  const parts = [
    [step.l1_sectors, 'L1'],
    [step.l2_sectors, 'L2'],
    [step.dram_sectors, 'DRAM'],
  ] as const;
  const list = parts.filter(([n]) => n > 0).map(([n, name]) => `从 ${name} 得到 ${count(n)} 个扇区`);
  const wait = step.ready === null ? '' : `，在发射后 ${count(Math.max(0, step.ready - step.cycle))} 个周期`;
  return `它${list.join('，')}${wait}。`;
}

const since = (step: GpuWhyStep, before: GpuWhyUse) =>
  `自上次使用（第 ${count(before.step)} 步，${warp(before)}，${count(step.cycle - before.cycle)} 个周期之前）以来`;

const kindOf = (step: GpuWhyStep, report: GpuWhyReport) => report.instructions[step.instruction - 1]?.kind ?? 'load';

function cause(step: GpuWhyStep, report: GpuWhyReport): string {
  const line = lineOf(step);
  if (!line || step.served === null) return '';
  if (kindOf(step, report) === 'atomic') return `原子操作在 L2 完成。${below(step)}`;
  if (step.texture) return `这次加载经过纹理缓存，此处不作解释。${levels(step)}`;
  if (!step.in_l1) return step.served === 'l1' ? '缓存行已在途中。' : `这次访问不使用 L1。${below(step)}`;
  if (step.class === null) {
    const arrives = step.stack.find((way) => way.line === line.line)?.arrives;
    return arrives ? `缓存行在途中，将在周期 ${count(arrives)} 到达。` : 'L1 中有全部扇区，或它们已在途中。';
  }
  return [above(step, line.line, line.set, report), below(step)].join('');
}

function above(step: GpuWhyStep, line: string, set: number, report: GpuWhyReport): string {
  if (step.dropped) return `缓存行 ${line} 曾在 L1 中，此后被一次存储丢弃。`;
  if (step.line_there) return `L1 中有缓存行 ${line}，但没有这个扇区：未命中只取来所请求的扇区。`;
  if (step.class === 'compulsory')
    return step.before ? `这个 L1 从未有过缓存行 ${line} 的这些扇区。` : `这个 L1 第一次被请求缓存行 ${line}。`;
  if (!step.before) return `L1 曾有缓存行 ${line}，后来让出了位置。`;
  const [whole, all] = [step.whole_distance ?? 0, report.ways * report.sets];
  const beside =
    report.sets === 1
      ? ''
      : step.class === 'associativity'
        ? `所有组合计只用了 ${count(whole)} 个，少于 L1 的 ${count(all)} 行。`
        : `所有组合计用了 ${count(whole)} 个，而 L1 有 ${count(all)} 行。`;
  const chance = report.lru ? '' : '这个 L1 并不总是替换最久未用的缓存行，因此该组的每次未命中都可能换掉它。';
  return `${since(step, step.before)}，用了组 ${set} 的 ${count(step.set_distance ?? 0)} 个其他缓存行，而一组有 ${count(report.ways)} 路。${beside}${chance}`;
}

const levels = (step: GpuWhyStep) => (lineOf(step)?.l2 || lineOf(step)?.dram ? below(step) : '');

function below(step: GpuWhyStep): string {
  const line = lineOf(step);
  if (!line || line.dram === 0) return 'L2 中有它。';
  return step.l2_had ? 'L2 在这次启动中曾有它，后来把位置让给了其他缓存行。' : '这次启动中此前没有谁向 L2 请求过它。';
}

const waysFor = (step: GpuWhyStep, report: GpuWhyReport) =>
  `${count(Math.max(step.set_distance ?? 0, report.ways) + 1)} 路`;

function remedy(step: GpuWhyStep, report: GpuWhyReport): string {
  if (step.served === null || lineOf(step) === undefined) return '';
  if (step.texture || kindOf(step, report) !== 'load') return '';
  if (!step.in_l1) return step.served === 'l1' ? '' : '在全局加载使用 L1 的 GPU 上，它可能命中。';
  if (step.class === null) return '';
  if (step.dropped) return '如果存储把缓存行留在 L1 中，它就会命中。';
  if (step.line_there) return '如果未命中取来整个缓存行，它就会命中。';
  if (step.class === 'compulsory' && step.before)
    return `如果未命中取来整个缓存行、并且该行留了下来，它就会命中${report.lru ? `：每组需 ${waysFor(step, report)}` : ''}。`;
  if (step.class === 'compulsory') return '没有办法使它在 L1 命中：缓存行的首次使用总是未命中。';
  if (step.set_distance === null) return '在更大的 L1 中它会命中。';
  if (!report.lru) return '路数更多，或在用的缓存行更少，该行就更可能留下来。';
  const hash = step.class === 'associativity' ? '，或使用能分散这些缓存行的组索引' : '';
  return `若次序不变，每组 ${waysFor(step, report)} 它就会命中${hash}。`;
}

function change({ change: kind, value }: GpuWhyWhatIf): string {
  switch (kind) {
    case 'ways':
      return `L1 每组 ${count(Number(value))} 路`;
    case 'one_set':
      return '同样大小的全相联 L1';
    case 'one_block':
      return '一次一个线程块';
    case 'stores':
      return '存储保留缓存行';
    case 'through_l1':
      return '全局加载使用 L1';
    case 'whole_lines':
      return '未命中取来整个缓存行';
    case 'l2_bytes':
      return `${bytes(Number(value))} 的 L2`;
    case 'copies':
      return '缓存如主机拷贝之后';
    default:
      return kind;
  }
}

const waits: Record<string, string> = {
  ready: '就绪',
  arithmetic: '算术',
  load: '加载',
  shared: '共享内存',
  pipe: '流水线',
  barrier: '栅障',
  launch: '线程块启动',
};

export const wg: typeof english = {
  outcome,
  colour: (step: GpuWhyStep) =>
    step.class ?? (step.served === null ? 'store' : step.served === 'l1' ? 'hit' : 'capacity'),
  headline,
  served,
  cause,
  remedy,
  hint: ({ line_by_line, parts }: GpuWhyReport) =>
    `每一步是核心的一次线程束访问${line_by_line ? '，一次一个缓存行' : '及其全部缓存行'}，并附上之前的状态。${
      parts > 1 ? `一个核心有 ${count(parts)} 个部分，各有一个 L1。` : ''
    }`,
  whatIf: (list: GpuWhyWhatIf[]) =>
    list.map((one) => ({ change: change(one), outcome: from[one.served], hits: one.served === 'l1' })),
  lines: (step: GpuWhyStep) => `它的 ${count(step.lines.length)} 个缓存行`,
  sectors: '扇区',
  stack: (set: number, sets: number) => (sets === 1 ? 'L1 的缓存行' : `L1 的组 ${set}`),
  there: (arrives: number | null) => (arrives === null ? '在' : `${count(arrives)} 到达`),
  flight: (busy: number, all: number) => `等待数据的位置，${count(all)} 个 MSHR 中有 ${count(busy)} 个忙碌`,
  arrives: '到达于',
  queue: '调度器的线程束',
  waits: ({ until }: WhyWarp, wait: string) =>
    wait === 'ready' ? waits['ready'] : `${waits[wait] ?? wait}${until === null ? '' : `，到 ${count(until)}`}`,
  waitsFor: '等待',
  kinds: [
    { value: 'misses', name: '在 L1 的未命中' },
    { value: 'compulsory', name: '强制性未命中' },
    { value: 'capacity', name: '容量未命中' },
    { value: 'conflict', name: '冲突未命中' },
    { value: 'level:dram', name: '由 DRAM 提供' },
    { value: 'level:l2', name: '由 L2 提供' },
    { value: 'level:l1', name: '由 L1 提供' },
    { value: '', name: '任意' },
  ],
};
