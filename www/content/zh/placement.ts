// Every text of the Placement tab in Chinese.

import type { DramScore, Memory, PlaceLine, SampleTime } from '../../engine/placement/types';
import type { p as english } from '../placement';
import { time } from '../gpu-numbers';
import { asCount, asDifference, asMask, withNumbers } from '../placement-numbers';
import type { Translated } from '../translated';
import { bytes, count, percent, percent1 } from './format';
import { say } from './messages';
import { placementChanges } from './placement-changes';
import { counts } from './placement-counts';

const memories: Record<Memory, string> = {
  global: '全局',
  texture1d: '1D 纹理',
  texture2d: '2D 纹理',
  constant: '常量',
  shared: '共享',
};
const THIN = '\u202f';

function grouped(names: string[], line: Pick<PlaceLine, 'placement'>, from: Memory[]): [Memory, string[]][] {
  const groups = new Map<Memory, string[]>();
  line.placement.forEach((memory, i) => {
    if (memory !== from[i]) groups.set(memory, [...(groups.get(memory) ?? []), names[i] ?? String(i)]);
  });
  return [...groups];
}

function movesText(names: string[], line: Pick<PlaceLine, 'placement'>, from: Memory[]): string {
  return grouped(names, line, from)
    .map(([memory, arrays]) => `${arrays.join('、')} → ${memories[memory]}`)
    .join('；');
}

function movesSentence(names: string[], line: PlaceLine, from: Memory[]): string {
  const where = (memory: Memory) => `${memories[memory]}${memory.startsWith('texture') ? '' : '内存'}`;
  const moves = grouped(names, line, from).map(
    ([memory, arrays]) => `${arrays.map((name) => `“${name}”`).join('、')}放入${where(memory)}`,
  );
  return moves.join('；');
}

const cycles = (n: number) => `${count(n)}${THIN}周期`;
const microseconds = (us: number) => time(us * 1e-6);
const nanoseconds = (n: number) => `${n > 0 && n < 10 ? n.toFixed(1) : count(n)}${THIN}ns`;
const change = (ratio: number) =>
  Math.abs(ratio) < 0.0005 ? `0${THIN}%` : `${ratio > 0 ? '+' : ''}${percent1(ratio)}`;
const against = (ratio: number) => (Math.abs(ratio) < 0.0005 ? '与现在相同' : `与现在相比 ${change(ratio)}`);
const times = (ratio: number) => `${ratio < 10 ? ratio.toFixed(ratio < 2 ? 2 : 1) : count(ratio)} 倍`;

const MEASURED = 'NVIDIA GeForce RTX 2080 Ti';
const measured = (gpu: string) =>
  gpu === MEASURED ? '在此 GPU 上实测：' : `没有在 ${gpu} 上实测过放置。在 RTX 2080 Ti 上实测：`;

function machineTime(line: PlaceLine): string {
  return line.machine_microseconds === null
    ? `${cycles(line.cycles)}（${microseconds(line.microseconds)}）`
    : microseconds(line.machine_microseconds);
}

export const p: Translated<typeof english> = {
  intro:
    '每个数组应放在哪里？方程为每种合法放置排名；其中最好的几种在模型“gpu”的“copies”状态下运行。也提供 Huang 与 Li 的模型（CLUSTER’17）的原文形式。',
  setup: '放置设置',
  modes: { label: '做什么', arrays: '数组', memory: '内存映射' },
  memory: (name: Memory) => memories[name],
  none: '–',
  progress: {
    reading: '正在读取',
    preparing: '正在准备',
    sampling: '正在整个 GPU 上运行样本',
    searching: '正在搜索',
    judging: '正在整个 GPU 上运行最好的几种',
    looking: '正在计算细节',
    training: '正在训练',
    changing: '正在运行其他改动',
    evaluated: (done: number, total: number, best: number | null) =>
      `${count(done)} / ${count(total)}${best === null ? '' : `，最好 ${cycles(best)}`}`,
    cancelled: '已取消。',
    kept: (evaluated: number) => `在 ${count(evaluated)} 种放置后取消。其中最好的保留。`,
    done: (evaluated: number) => `完成：评估了 ${count(evaluated)} 种放置。`,
  },
  source: {
    open: '打开文件…',
    formats: '轨迹与“缓存”标签页相同。这里还可用：实测时间的 CSV（列 kernel、placement、time_us），或重叠系数的 JSON。',
    none: '还没有轨迹：请在“缓存”标签页选一个示例，或放入轨迹。',
    example: '示例',
    files: '你的文件',
  },
  setting: {
    heading: '核函数与 GPU',
    kernel: '核函数',
    heaviest: (name: string) => `访问最多（${name}）`,
    gpu: 'GPU',
    sameGpu: (name: string) => `同“缓存”页（${name}）`,
    model: '方程',
    models: { default: '我们的方程与整个 GPU', paper: 'Huang 与 Li（CLUSTER’17），按原文' },
    modelHelp: {
      default: '我们的方程选出在整个 GPU 的模型上运行的放置，由后者的时间排名。T 由等待链和资源得出。',
      paper:
        '原文的方程 1 至 19 由现在放置的实测时间预测每种放置。只有样本在整个 GPU 的模型上运行。要用论文的服务时间和地址位，请选 K80。',
    },
    queue: '存储体处的排队',
    queues: {
      own: (name: string) => `模型自己的（${name}）`,
      lindley: 'Lindley，对该序列精确',
      kingman: 'Kingman',
      klb: 'Krämer–Langenbach-Belz',
      'kingman-linear': '不带平方的 Kingman',
      seed: '按原文',
    },
    without: '去掉',
    withoutHint: '论文的消融实验（图 7 至 9）：模型的每一部分改变了什么。',
    parts: { counting: '指令计数', queue: '排队与行缓冲', mapping: '地址映射' },
    partHelp: {
      counting: '重放和地址计算保持轨迹中的数量。',
      queue: '主存对每个请求用相同的时间。',
      mapping: '请求依次送往各存储体，不论地址。',
    },
    cacheParameters: '你在“缓存”标签页改变的参数属于那里的模型，不影响这个模型。',
    rerun: '重新搜索',
    advanced: '模型',
  },
  printed: {
    sample: '现在放置的测量值',
    sampleHint: '论文由样本的时间和计数器预测。没有时间时，由整个 GPU 的模型提供，并在答案中注明。计数器是整个启动的。',
    measured: {
      time_us: '时间，µs',
      inst_executed: '执行的线程束指令（inst_executed）',
      inst_issued: '发射的线程束指令（inst_issued）',
      static_constants: '模块占用的常量内存，字节',
    },
    open: '论文没有说明之处',
    openHint: '这些是假定，说明中会列出。',
    rule: '重叠（方程 11、12）',
    rules: {
      own: '有训练得到的系数则用之，否则用样本的',
      sample: '沿用样本的比值，不训练',
      trained: '方程 11，用训练得到的系数',
      'sample+trained': '样本的比值，加方程 11 给出的差',
      sim: 'Sim 等人的（PPoPP’12）',
    },
    gamma: '栅障的 Γ（方程 16）',
    gammaHint: '留空：0，即不计栅障。Sim 等人对 Fermi 用 64；用它时栅障比整个核函数还长。Kepler 的值没有人公布过。',
    cycle: '两次到达之间的一条指令占一个周期，而不是 EIT',
  },
  verdict: {
    heading: '最好的放置',
    recommended: '推荐的放置',
    reproduced: '已复现',
    reproducedMore: '链接的指纹就是此排名的指纹。',
    not: '与链接所承诺的不同：其指纹属于另一个排名。文件、GPU 或设置可能不同，或由另一版本生成。',
    stay: '数组留在原处：预测没有其他放置更快。',
    stayRun: '数组留在原处：在整个 GPU 的模型上运行过的其他放置都不更快。',
    stayTie: (names: string[], line: PlaceLine, from: Memory[], saved: number) =>
      `无法分辨：预测把${movesSentence(names, line, from)}用时少 ${percent1(saved)}，但这在模型的误差之内。请把数组留在原处，或者实测。`,
    sentence: (names: string[], line: PlaceLine, from: Memory[], speedup: number) =>
      `把${movesSentence(names, line, from)}：预测速度约为现在的 ${times(speedup)}。`,
    soFar: (names: string[], line: PlaceLine, from: Memory[], speedup: number) =>
      speedup > 1
        ? `到目前为止，最快的是把${movesSentence(names, line, from)}：速度约为现在的 ${times(speedup)}。`
        : '到目前为止，没有比现在更快的放置。',
    stopped: '搜索被停止。',
    counted: {
      searching: (done: number, total: number) => `${count(total)} 种放置中已评估 ${count(done)} 种。`,
      judging: (done: number, total: number) =>
        `${count(total)} 种放置中已有 ${count(done)} 种在整个 GPU 的模型上运行。`,
      stopped: (evaluated: number, ran: number) =>
        `评估了 ${count(evaluated)} 种放置，其中 ${count(ran)} 种在整个 GPU 的模型上运行过。`,
    },
    state: (other: { state: string; known: boolean } | null) =>
      `缓存处于主机复制之后的状态（“copies”）${other === null ? '' : `；“缓存”标签页的状态是“${other.state}”，因此时间${other.known ? '' : '可能'}不同`}`,
    sample: ({ microseconds: us, simulated }: SampleTime) =>
      simulated
        ? `由现在放置在整个 GPU 的模型上的 ${microseconds(us)} 预测。没有实测。`
        : `由你测得的现在放置的 ${microseconds(us)} 预测。`,
    facts: {
      best: '预测时间',
      now: '轨迹中的放置',
      legal: '合法放置',
      evaluated: '已评估',
      search: '搜索',
      chance: '成为最快的概率',
      ties: '与最好的并列',
    },
    exact: '精确：按方程，没有剩下可能更好的放置',
    gap: (gap: number) => `按方程，真正最好的放置用时最多少 ${percent1(gap / (1 + gap))}`,
    open: '未完成：没有确定的结论',
    unknown: '太多，无法逐一查看',
    of: (legal: number, nominal: number) =>
      legal === nominal ? count(legal) : `${count(nominal)} 种组合中的 ${count(legal)} 种`,
    ties: (n: number) => (n === 1 ? '无' : `另有 ${count(n - 1)} 种在模型的噪声之内`),
    tiesHint: (n: number, fastest: PlaceLine | null, names: string[], from: Memory[]) =>
      `${count(n)} 种放置非常接近，模型分不出哪种最快。其中这一种移动的数组最少。${fastest ? `预测时间最短的是把${movesSentence(names, fastest, from)}：${machineTime(fastest)}。` : ''}`,
    chance: (own: number, ties: PlaceLine[]) => {
      const all = ties.reduce((sum, line) => sum + (line.chance ?? 0), 0);
      return ties.length > 1 ? `${percent(own)}；并列的 ${count(ties.length)} 种之一：${percent(all)}` : percent(own);
    },
    took: (ms: number, workers: number) =>
      `用时 ${ms < 1000 ? `${count(ms)}${THIN}ms` : `${(ms / 1000).toFixed(2)}${THIN}s`}，${workers} 个 Worker`,
    time: machineTime,
  },
  sure: {
    heading: '准确度',
    hardware: (gpu: string) =>
      `最好的几种放置在整个 GPU 的模型上运行过：有源码时用为其改写的源码，没有源码时用移动了数组的轨迹。其余的排名只按方程。${measured(gpu)}对矩阵乘法的各种放置，它由一份轨迹作出的选择平均比最好的慢 5 %，其时间有一半误差小于 20 %。`,
    printed:
      '这是论文原文的模型，用来以你自己的核函数阅读论文。它不会比样本更好：离样本较远的放置，其时间是粗略的。文档的“Placement”页列有它的误差。',
    trained: (error: number, untrained: number, rows: number, kernels: number) =>
      `对 ${count(kernels)} 个核函数的 ${count(rows)} 种放置，每个核函数在不用自身时间的情况下预测，平均误差为 ${percent(error)}，不训练时为 ${percent(untrained)}。${
        error < untrained ? '' : '因此训练在这里没有帮助：请在上面选择样本的比值。'
      }`,
    provenance: (text: string) => `重叠：${text}。`,
    own: '这是你自己的系数。链接写有它们的名称；打开链接的人需要该文件。',
    wanted: (name: string) =>
      `链接是用训练得到的系数（${name}）生成的，本页没有它们，因此下面的数字没有使用它们。请把它们的 JSON 放到这里。`,
    outside: (list: string) => `超出重叠训练过的范围：${list}。在那里预测只是猜测。`,
    missing:
      '没有建模：数值与寄存器依赖、指令缓存、TLB、异步拷贝。填充及其他代码改动不在排名中；有文本时可在排名下方尝试。',
    retrain: '训练原文模型的方程 11',
    retrainHint:
      '放入一个 CSV，含列 kernel、placement（如“A=global B=texture1d”）和 time_us，至少 15 行、3 个核函数，它们的轨迹已加载，且含各自现在的放置。或者由整个 GPU 的模型给出至少 3 个已加载核函数的时间。原文模型立即使用这些系数。',
    machine: '用整个 GPU 的模型训练',
    pick: '选择 CSV 或 JSON…',
    save: '把系数保存为 JSON',
    forget: '不使用系数',
    trainedNow: (rows: number, kernels: number, error: number) =>
      `用 ${count(kernels)} 个核函数的 ${count(rows)} 行训练；对留出的核函数平均误差 ${percent(error)}。`,
    read: '系数正在使用。',
    columns: {
      expected: '`kernel`、`placement` 和 `time_us` 三列',
      help: '请这样命名各列，每行一种放置，例如“A=global B=texture1d”',
    },
  },
  matrix: {
    heading: '数组与内存',
    hint: '只把这个数组移到那里时，预测时间如何变化；“方程”：只按方程。每行选一种内存。',
    equations: '方程',
    equationsHelp: '按方程。这种放置没有在整个 GPU 上运行。',
    array: '数组',
    now: '现在位于',
    nowOf: (name: string) => `轨迹中 ${name} 的位置`,
    nowBadge: '现在',
    bestBadge: '最好',
    keepBadge: '保持',
    recommendedBadge: '推荐',
    choose: (name: string, memory: Memory) => `${name} 放入${memories[memory]}`,
    rename: (name: string) => `数组 ${name} 的名称`,
    size: (n: number, element: number) => `${bytes(n)}，元素 ${bytes(element)}`,
    width: (width: number) => `作为 2D 纹理：方程取每行 ${count(width)} 个`,
    uses: ([loads, stores, atomics]: [number, number, number]) =>
      (
        [
          [loads, '次加载'],
          [stores, '次存储'],
          [atomics, '次原子操作'],
        ] as const
      )
        .flatMap(([n, what]) => (n ? [`${count(n)} ${what}`] : []))
        .join('，') || '没有访问',
    tile: ([size, phases]: [number, number]) =>
      `${bytes(size)} 的分块${phases > 1 ? `，填充 ${count(phases)} 次` : ''}`,
    no: '不可',
    change,
    together: '合起来太多',
    guessed: '推测',
    guessedHelp: '这个范围是从地址的间隔推测的。',
    guessedAll:
      '文件没有给出数组名，因此其范围是从地址的间隔推测的。两个紧挨着的数组看起来像一个。请重新命名、更正范围，或确认它们正确：',
    confirm: '这些范围正确',
    best: '显示推荐的',
    asNow: '显示现在的',
  },
  ranges: {
    heading: '更正范围',
    hint: '每行一个数组：名称、首字节、字节长度。轨迹的所有核函数使用此列表。',
    label: '数组的范围',
    use: '使用这些范围',
    own: '恢复文件的范围',
  },
  ranking: {
    heading: '排名',
    hint: {
      machine: '条形是整个 GPU 上的时间。',
      equations: '条形是按我们的方程的时间。',
      paper: '条形是按原文方程的时间。计算与等待重叠的部分只画一次。',
    },
    rank: '名次',
    placement: '改动',
    machine: '在 GPU 上，µs',
    time: '方程，周期',
    versus: '与现在相比',
    comp: 'Tcomp',
    mem: 'Tmem',
    overlap: 'Toverlap',
    shared: (rank: number) => `并列 ${count(rank)}`,
    recommended: '推荐：移动的数组最少',
    recommendedBar: (label: string) => `${label}（推荐）`,
    chance: '概率',
    asNow: '与现在相同',
    now: '现在',
    label: (n: number, best: string) => `最好的 ${count(n)} 种放置和现在放置的预测时间；最好：${best}。`,
    legend: { comp: '只有计算', both: '两者同时（Toverlap）', mem: '只有访存', whole: '按我们的方程的时间' },
    machineLegend: { comp: '调度器发射', mem: '调度器等待，以及启动本身' },
    shown: (n: number, all: number) => (all > n ? `${count(all)} 种中最好的 ${count(n)} 种；CSV 有全部。` : ''),
    table: '按预测时间排列的放置',
  },
  moves: movesText,
  changes: placementChanges(against, microseconds),
  look: {
    heading: (best: boolean, now: boolean) => (now ? '现在的放置的细节' : best ? '推荐的放置的细节' : '所选放置的细节'),
    versus: (line: PlaceLine, now: PlaceLine) => {
      const versus = against(line.cycles / now.cycles - 1);
      if (now.machine_microseconds === null)
        return `按方程 ${cycles(line.cycles)}（${microseconds(line.microseconds)}），${versus}`;
      if (line.machine_microseconds === null)
        return `只按方程：${cycles(line.cycles)}，${versus}（${cycles(now.cycles)}）。这种放置没有在整个 GPU 上运行。`;
      const ratio = line.machine_microseconds / now.machine_microseconds;
      return `整个 GPU 上 ${microseconds(line.machine_microseconds)}，${against(ratio - 1)}`;
    },
    illegal: (why: string) => `不可行：${say(why)}。`,
    reasons: '原因',
    same: '没有数组移动。',
    counts: '按方程，什么改变',
    machineCounts: '整个 GPU 上什么改变',
    machineHint: '调度器的周期是全部调度器之和。',
    onMachine: '整个 GPU，现在',
    twoModels:
      '两个模型作答。方程按指令的次序处理访问；整个 GPU 按时间处理，与“缓存”标签页的模型“gpu”相同。两者都统计同一项时，最后一列是整个 GPU 的计数。',
    contradicted: '这里方程的结论相反，因此不列出它们的计数和存储体。它们只选择哪些放置在整个 GPU 上运行。',
    before: '现在',
    after: '移动后',
    difference: '变化',
    count: '项目',
    counted: (key: string) => counts[key] ?? key,
    number: asCount,
    reason: (text: string) => withNumbers(say(text)),
    signed: asDifference,
    all: '显示全部计数',
    allOfEquations: '显示方程的全部计数',
    banks: '主存的存储体（方程）',
    banksHint:
      '在这种放置下，每个存储体收到什么、行缓冲中有什么、等待多久。地址到存储体的映射不是厂商的，厂商的映射是保密的。',
    banksOff: '排队已去掉，因此没有存储体可显示。',
    banksNone: '没有请求到达主存。',
    bank: '存储体',
    requests: '请求',
    hits: '行命中',
    misses: '行未命中',
    conflicts: '行冲突',
    utilisation: '忙碌',
    wait: '平均等待，ns',
    saturated: '饱和',
    banksLabel: (requests: number, banks: number, hits: number, wait: number) =>
      `${count(banks)} 个存储体上的 ${count(requests)} 个请求，${percent(hits)} 行命中，平均等待 ${nanoseconds(wait)}。`,
    banksLegend: { hits: '行命中', misses: '行未命中', conflicts: '行冲突', wait: '平均等待（线，右侧刻度）' },
    snippet: '此放置的 CUDA 代码',
    snippetHint: '供起步之用。类型按元素大小给出；注释处填入你自己的代码。',
    rewrittenHint: (ran: boolean) =>
      `你的文件，为此放置改写。常量数组和分块的大小取自这次启动。${ran ? '这份源码在模拟器上运行过，上面的时间就是它的。' : ''}`,
    rewriteNote: (note: string) => `${say(note)}。`,
    copy: '复制',
    copied: '已复制。',
    saveCuda: '保存 .cu',
  },
  export: {
    heading: '导出',
    link: '复制链接',
    json: '保存 JSON',
    csv: '保存 CSV',
    hint: 'JSON 是终端对最好的十种的输出。CSV 有评估过的每种放置。',
    terminal: '在终端做同样的事：',
  },
  notes: '说明',
  dram: {
    intro:
      '地址的哪些位选择主存的存储体和行？厂商不说；论文的算法 1 通过计时找出它。这里由一个内存像 GPU 那样作答，其映射由种子抽取：自己测量，或让页面来做。',
    heading: '隐藏的内存',
    lesson:
      '这个内存只用延迟作答，与 GPU 一样。哪些地址位选择列、存储体和行？翻转一位并测量访问时间：打开的行快，空闲的存储体较慢，忙碌存储体的另一行最慢。',
    seed: '种子',
    another: '换一个',
    hashed: '存储体经过散列',
    hashedHelp: '一些存储体位与行位异或：单独翻转时，这种行位看起来像存储体位。',
    page: '让页面来找',
    bench: '测量成对访问的时间',
    measure: '测量',
    measureHint:
      '九次测量，每次之前关闭所有行，触及一个随机地址，然后测量翻转该位后的同一地址。噪声 30 ns；每五十次访问有一次被其他事情延迟。',
    with: '翻转每一位',
    alone: '单独',
    together: (bit: number) => `与位 ${bit} 一起`,
    bit: '位',
    least: '最小，ns',
    median: '中位数，ns',
    most: '最大，ns',
    figure: (shown: { with: number | null; bits: number[] }) =>
      `${shown.bits.length} 个位${shown.with === null ? '单独' : `与位 ${shown.with} 一起`}翻转，各九个延迟的中位数、最小和最大值。`,
    legend: '点：九个的中位数。线：最小至最大；离群值超出图外。',
    answer: '你的答案',
    answerHint: '每一位的用途是什么？散列的位是存储体位；进入同一存储体位的各位列在下面。',
    kind: { column: '列', bank: '存储体', row: '行' },
    kindOf: (bit: number) => `位 ${bit} 的用途`,
    unsaid: '?',
    groups: '一起散列的位',
    groupsHint: '各位用 + 连接，各组用逗号分开：12+20, 13+24',
    reveal: '揭晓并评分',
    revealed: '映射',
    who: '谁',
    column: '列位',
    bank: '存储体位',
    row: '行位',
    truth: '真值',
    you: '你',
    algorithm: '算法 1',
    pairs: '加成对探测',
    right: '答对',
    score: (s: DramScore) =>
      `${s.of_bits} 位中 ${s.bits} 位${s.of_groups > 0 || s.wrong_groups > 0 ? `，${s.of_groups} 个散列中 ${s.groups} 个${s.wrong_groups > 0 ? `，错 ${s.wrong_groups} 个` : ''}` : ''}`,
    found: (plain: DramScore, pairs: DramScore) =>
      pairs.of_groups > 0
        ? `算法 1 在 ${plain.of_bits} 位中找对 ${plain.bits} 位，在 ${plain.of_groups} 个散列存储体位中找对 ${plain.groups} 个；加成对探测后为 ${pairs.bits} 和 ${pairs.groups}。`
        : `算法 1 在 ${plain.of_bits} 位中找对 ${plain.bits} 位。`,
    said: (s: DramScore) =>
      `你在 ${s.of_bits} 位中答对 ${s.bits} 位${s.of_groups > 0 ? `，在 ${s.of_groups} 个散列存储体位中答对 ${s.groups} 个` : ''}。`,
    explain:
      '算法 1 翻转单个位，看不到散列。成对探测一起翻转存储体组的两个位：两者进入同一存储体位时，存储体不变而行改变，只有冲突会显示这一点。延迟不能说明这一对中哪一位属于行。',
    mask: asMask,
  },
};
