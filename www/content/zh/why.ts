// Every text of the steps through a run, in Chinese.

import type {
  Diagnostic,
  InstructionPlace,
  WhyOutcome,
  WhyReport,
  WhyStep,
  WhyUse,
  WhyWhatIf,
} from '../../engine/types';
import type { w as words } from '../why';
import { count } from './format';
import { say } from './messages';

const outcomes: Record<WhyOutcome, string> = {
  hit: '命中',
  compulsory: '强制性未命中',
  capacity: '容量未命中',
  associativity: '相联度未命中',
  latency: '延迟未命中',
  cancelled: '已取消',
  store: '存储',
};

const kindNames: Record<string, string> = { load: '加载', store: '存储', atomic: '原子操作' };

type Warp = { block: number; warp: number };

const warp = ({ block, warp: index }: Warp) => `线程块 ${count(block)} 的线程束 ${index}`;

const since = (step: WhyStep, before: WhyUse) =>
  `自上次使用（第 ${count(before.step)} 步，${warp(before)}，${count(before.requests_between)} 个请求、${count(step.tick - before.tick)} 个节拍之前）以来`;

function others(step: WhyStep, { ways }: WhyReport): string {
  const when = step.before ? since(step, step.before) : '自前一个核函数使用以来';
  return `${when}，组 ${step.set} 有 ${count(step.distance ?? 0)} 个其他缓存行排到前面，而一组有 ${count(ways)} 路。`;
}

function cause(step: WhyStep, report: WhyReport): string {
  switch (step.outcome) {
    case 'hit':
      return step.distance === 0 && step.stack[0] !== step.line
        ? '较早对该缓存行的请求在这个节拍生效。'
        : others(step, report);
    case 'compulsory':
      return `核心 ${report.core} 第一次请求这个缓存行。`;
    case 'latency':
      return `缓存行正在途中：${step.before ? `第 ${count(step.before.step)} 步在 ${count(step.tick - step.before.tick)} 个节拍前请求了它，` : ''}它将在节拍 ${count(step.arrives ?? 0)} 到达。`;
    case 'cancelled':
      return `这次访问需要 ${count(step.needed_mshrs ?? 0)} 个 MSHR，而 ${count(report.mshrs ?? 0)} 个中有 ${count(free(step, report))} 个空闲。线程束回到队尾。`;
    case 'store':
      return '一次存储占用这个节拍，不取来缓存行，也不等待。';
    default:
      return step.distance === null ? '一次存储把缓存行移出了缓存。' : missed(step, report);
  }
}

function missed(step: WhyStep, report: WhyReport): string {
  const all = report.ways * report.sets;
  const whole = step.whole_distance ?? 0;
  if (report.sets === 1) return others(step, report);
  const beside =
    step.outcome === 'associativity'
      ? `所有组合计只有 ${count(whole)} 个，少于缓存的 ${count(all)} 行`
      : `所有组合计有 ${count(whole)} 个，而缓存有 ${count(all)} 行`;
  return `${others(step, report)}${beside}。`;
}

const free = (step: WhyStep, report: WhyReport) => Math.max(0, (report.mshrs ?? 0) - step.busy_mshrs);

function remedy(step: WhyStep, report: WhyReport): string {
  switch (step.outcome) {
    case 'hit':
    case 'store':
      return '';
    case 'compulsory':
      return '没有办法使它命中：缓存行的首次使用总是未命中。';
    case 'latency':
      return `再过 ${count((step.arrives ?? 0) - step.tick)} 个节拍它就会命中。`;
    case 'cancelled':
      return `再多 ${count((step.needed_mshrs ?? 0) - free(step, report))} 个 MSHR，它就可以继续。`;
    default: {
      if (step.distance === null) return '如果存储把缓存行留在缓存中，它就会命中。';
      const hash = step.outcome === 'associativity' ? '，或使用能分散这些缓存行的组索引' : '';
      return `若次序不变，有 ${count(step.distance + 1)} 路它就会命中${hash}。`;
    }
  }
}

function change({ change: kind, value }: WhyWhatIf): string {
  switch (kind) {
    case 'ways':
      return `${count(Number(value))} 路`;
    case 'one_set':
      return '一个全相联的组';
    case 'set_index':
      return `组索引 ${value}`;
    case 'no_latency':
      return '无延迟';
    case 'mshrs':
      return 'MSHR 不限';
    case 'one_block':
      return '一次一个线程块';
    case 'stores':
      return '存储保留缓存行';
    default:
      return kind;
  }
}

export const w: typeof words = {
  outcome: (outcome: WhyOutcome) => outcomes[outcome],
  cause,
  remedy,
  headline: (step: WhyStep, array: string, instruction: string) =>
    `节拍 ${count(step.tick)}：${warp(step)}，第 ${count(step.access)} 次访问${instruction}，请求${array}组 ${step.set} 中的缓存行 ${step.line}。`,
  ofArray: (name: string) => ` ${name} 的、`,
  ofLine: (line: number | null, pc: string) => (line !== null ? `（第 ${line} 行）` : pc === '' ? '' : `（${pc}）`),
  hint: ({ core, core_steps, core_cancelled }: WhyReport) =>
    `每一步是核心的一个请求、一次存储，或一次因空闲 MSHR 太少而未成的尝试，并附上之前的状态。${
      core_cancelled === 0
        ? `核心 ${core} 没有未成的尝试。`
        : `核心 ${core} 的 ${count(core_steps)} 步中有 ${count(core_cancelled)} 步是这种尝试。`
    }`,
  stepper: '各步。左右方向键逐步移动，上下方向键转到未命中，Home 转到第一步。',
  first: '最前',
  back: '后退',
  forward: '前进',
  previousMiss: '上一个未命中',
  nextMiss: '下一个未命中',
  previousMatch: '上一个匹配',
  nextMatch: '下一个匹配',
  step: '步',
  core: '核心',
  go: '转到',
  of: (steps: number) => `共 ${count(steps)}`,
  check: '运行验证',
  checking: '核函数再次运行',
  checked: '同一次访问，每次只改一处，各自运行：',
  noChange: '没有为这次访问运行任何改动。',
  change,
  stack: (set: number) => `组 ${set} 的栈`,
  stackNone: '空',
  place: '位置',
  line: '缓存行',
  state: '状态',
  wanted: '所请求',
  inside: '在缓存中',
  outside: '已逐出',
  more: (n: number) => `另外 ${count(n)} 个`,
  flight: (busy: number, all: number | null) =>
    `在途，${all === null ? '不限数目的' : `${count(all)} 个`} MSHR 中有 ${count(busy)} 个忙碌`,
  flightNone: '无',
  arrives: '生效于',
  holds: 'MSHR',
  yes: '是',
  no: '否',
  queue: '线程束队列',
  warp: '线程束',
  warpName: ({ block, warp: index }: Warp) => `${count(block)}:${index}`,
  now: '正在发射',
  next: '就绪',
  until: (tick: number) => `到节拍 ${count(tick)}`,
  warpHint: '线程束写作“线程块:线程束”。',
  pick: '选择一次访问',
  array: '数组',
  instruction: '指令',
  set: '组',
  address: '缓存行中的地址',
  any: '任意',
  kind: '结果',
  kinds: [
    { value: 'misses', name: '各类未命中' },
    ...(['compulsory', 'capacity', 'associativity', 'latency'] as const).map((value) => ({
      value,
      name: outcomes[value],
    })),
    { value: '', name: '任意' },
  ],
  find: '查找',
  clear: '恢复全部访问',
  matches: (n: number) => `${count(n)} 次访问符合。`,
  instructionName: (number: number, array: string, { line, kind, pc }: InstructionPlace) =>
    [
      `${number}：${array && `${array} 的`}${kindNames[kind] ?? kind}`,
      ...(line === null ? [] : [`第 ${line} 行`]),
      ...(pc === '' ? [] : [`位于 ${pc}`]),
    ].join('，'),
  onlyPaper: '模型“paper”和“gpu”可以逐次查看访问。作者的程序按线程组计数。',
  problem: (d: Diagnostic) => `应为 ${say(d.expected)}，实际 ${say(d.found)}：${say(d.help)}。`,
  openPaper: '使用模型“paper”',
  gone: '请先运行核函数。文件已不在此处的结果无法逐步查看。',
  whatIf: (list: WhyWhatIf[]) =>
    list.map((one) => ({ change: change(one), outcome: outcomes[one.outcome], hits: one.outcome === 'hit' })),
};
