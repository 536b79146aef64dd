// Texts of the Reuse tab in Chinese.

import type { GpuRefusal } from '../../engine/reuse/hp-rda-gpu';
import type { Why } from '../../engine/reuse/protocol';
import { duration, errorPercent, type Hitting, type r as english } from '../reuse';
import { bytes, count, percent } from './format';

export { duration, errorPercent };
export const points = (n: number) => `${n < 0.005 && n > 0 ? '< 0.01' : n.toFixed(2)} 个百分点`;
export const lineName = (n: number) => (n === 1 ? '每个数是一个缓存行' : bytes(n));

const refusals: Record<GpuRefusal, string> = {
  absent: '本浏览器没有 WebGPU；只有上面的 CPU 版本。',
  'no-adapter': '有 WebGPU，但浏览器没有提供图形适配器；只有上面的 CPU 版本。',
  'too-large': '表超过了此适配器缓冲区的上限；以上面的 CPU 版本为准。较短的线程轨迹或较短的地址流可以放下。',
  lost: '图形设备在工作中丢失（驱动重置，或被系统收回）；以上面的 CPU 版本为准。',
  failed: '图形设备拒绝了工作；以上面的 CPU 版本为准。',
};

export const r: typeof english = {
  intro:
    '同一缓存行的两次使用之间，触及了多少个不同的缓存行？对整个运行统计这些距离，就同时得到每种缓存大小的未命中率。',
  setup: '地址流',
  input: {
    label: '来源',
    trace: '“缓存”标签页的轨迹',
    files: '你的地址流',
    generated: '生成',
    names: { uniform: '均匀', zipf: 'Zipf', loop: '循环', matmul: '矩阵乘法', phased: '分阶段' },
    about: {
      uniform: '每个缓存行的机会相同：距离均匀分布，直到 M。',
      zipf: '少数缓存行常被请求，多数很少：长而平的尾部。',
      loop: '依次访问所有缓存行，反复进行：只有一种距离 M − 1，因此缓存小一行就全部未命中。',
      matmul: '朴素方阵乘法的加载：一行、一列、一个元素。',
      phased: '各段行为不同，内存窗口也不同。',
    },
    n: '访问次数 N',
    m: '缓存行数 M',
    seed: '种子',
    exponent: '指数',
    open: '打开文件…',
    formats:
      '地址流：Valgrind lackey、Dinero din、pinatrace、CSV、.u64、oracleGeneral；也可用 gzip、zstd、xz 或 zip 压缩。GPU 轨迹与“缓存”标签页相同。拖到页面任意处即可。',
    readAs: '读作',
    looks: (name: string) => `识别出的格式${name && `（${name}）`}`,
    order: '请求的次序',
    orders: { program: '程序次序', model: '缓存模型的发射次序' },
    orderHelp: {
      program: '线程束逐个从头到尾：核函数请求什么，不考虑时间。包括加载和存储。',
      model:
        '只有加载，按模型“paper”在每个核心上的发射次序，使用“缓存”标签页的 GPU 和种子；每个核心有自己的缓存。缓存行不小于 GPU 自身的。',
    },
  },
  line: {
    label: '缓存行大小',
    value: lineName,
    keptAs: (asked: string, used: string) => `模型的缓存行有 ${used}；${asked} 更小。`,
  },
  engine: {
    label: '引擎',
    names: {
      auto: '自动',
      rank: '秩位',
      offline: '逆序计数',
      sample: '抽样（SHARDS）',
      'hp-rda': 'HP-RDA',
      shards: '抽样（SHARDS）',
    },
    about: {
      auto: '按规模选择；结果说明选了哪一种及原因。',
      rank: '精确的流式方法：每个槽一位，每个不同的缓存行约 30 字节，访问本身不占内存。',
      offline: '精确，在内存中进行：用归并排序统计逆序得到距离，每次访问 16 字节。',
      sample: '由部分缓存行得到的估计，附误差：用于长到等不及的地址流。',
    },
    rate: '缓存行的比例',
  },
  run: '分析',
  advanced: '更多设置',
  keep: '保留地址的上限（MiB）',
  notKept:
    '这需要把地址保留在内存中，而此文件的地址太多。请在“更多设置”中提高上限，或在终端使用 `warpscope reuse FILE --engine hp-rda`。',
  workers: 'Worker 数',
  st: 'ST，线程轨迹中的引用数',
  nb: 'NB，线程块中的线程数',
  why: (why: Why, distinct: number, accesses: number): string =>
    ({
      passing: '选秩位，因为文件太大而不能保留：每次分析都重新读取，秩位之后不再需要它。',
      groups: '选秩位，因为它立即给出每次访问的距离，从而能区分核函数和数组。',
      'few-lines': `选秩位：不同缓存行不超过 500 万时它是最快的精确方法（这里有 ${count(distinct)} 个）。`,
      'many-accesses': `选秩位：对 ${count(distinct)} 个缓存行，逆序计数会更快，但 ${count(accesses)} 次访问各需 16 字节。`,
      'many-lines': `选逆序计数：有 ${count(distinct)} 个不同缓存行时，每次查找都会使处理器的缓存未命中，而排序不会。`,
    })[why],
  chosen: (name: string) => `${name}，因为你选择了它。`,
  kept: (n: number) => `地址以压缩形式保留（${bytes(n)}），因此换缓存行大小不必重新读取。`,
  passing: '地址太多而不能保留：换缓存行大小或引擎时要重新读取文件。',
  estimate: (memory: number) => `分析约需 ${bytes(memory)} 内存。`,
  progress: {
    reading: '正在读取',
    preparing: '正在切分成缓存行',
    running: '正在分析',
    comparing: '正在比较',
    sweeping: '正在对 ST 扫描',
    sampling: '正在抽样',
    cancelled: '已取消；之前的内容保留。',
    of: (done: number, total: number) => (total > 0 ? `${percent(done / total)}` : `${count(done)} 次访问`),
    done: (accesses: number, distinct: number) =>
      `分析了对 ${count(distinct)} 个不同缓存行的 ${count(accesses)} 次访问。`,
  },
  problem: {
    nothing: '这些文件中没有地址流，也没有核函数。',
    unusable: '这些文件中没有可以分析的内容，消息说明了原因。',
    otherFiles: '这些不是链接所指的文件；链接现在指向这些文件。',
    noSource: '“缓存”标签页还没有轨迹：请在那里选一个示例，或在这里生成地址流。',
  },
  wanted: {
    heading: '此链接涉及一个它并不包含的文件',
    text: '链接从不携带文件。如果你有该文件，把它放到这里或打开它，即可看到相同的结果；它不会离开这台电脑。',
    item: (size: number) => `${bytes(size)}，SHA-256`,
  },
  tooBig: {
    heading: '可能放不下',
    running: (n: number) => `分析约需 ${bytes(n)}，而浏览器的一个标签页最多有 4 GiB。终端没有这个限制：`,
    comparing: (n: number) => `比较另需约 ${bytes(n)}，而浏览器的一个标签页最多有 4 GiB。终端没有这个限制：`,
    none: '终端不按缓存模型排列请求；请选择程序次序、更少的核函数或更大的缓存行。',
    copy: '复制命令',
    anyway: '仍在这里尝试',
  },
  summary: {
    heading: '结果',
    sentence: (accesses: number, distinct: number, half: Hitting | null, most: Hitting | null, least = 1) =>
      `对 ${count(distinct)} 个不同缓存行的 ${count(accesses)} 次访问。` +
      (half === null
        ? '没有哪种缓存大小能使最小缓存的未命中减半。'
        : `有 ${count(half.lines)} 行的缓存，能使可命中的访问有 ${percent(half.share)} 命中${
            most !== null && most.lines > half.lines
              ? `；有 ${count(most.lines)} 行的，${percent(most.share)} 命中`
              : half.lines <= least
                ? ''
                : '；行数更少时，命中的不到一半'
          }。`),
    accesses: '访问',
    distinct: '不同缓存行',
    line: '缓存行',
    time: '时间',
    memory: '内存，估计与实际',
    engine: '引擎',
    largest: '最大距离',
    estimated: '估计',
    footprint: (n: number) => `共 ${bytes(n)}`,
    cached: (n: number) => `${duration(n)}`,
    reproduced: '已复现',
    reproducedMore: '链接的指纹就是此结果的指纹。',
    not: '与链接所承诺的不同：其指纹属于另一个结果。地址流、缓存行大小或引擎可能不同。',
  },
  histogram: {
    heading: '重用距离',
    hint: '访问按自上次使用该缓存行以来的不同缓存行数划分。∞：首次使用。',
    bins: '区间',
    modes: { log: '2 的幂', exact: '精确距离' },
    from: '从',
    to: '到',
    distance: '距离',
    accesses: '访问',
    share: '占比',
    upTo: '累计',
    first: '首次使用',
    label: (most: string, firsts: number) => `按重用距离划分的访问。最多的在 ${most}；${percent(firsts)} 是首次使用。`,
    range: (low: number, high: number) => (low === high ? count(low) : `${count(low)} 至 ${count(high)}`),
    wide: (width: number) => `每个条代表 ${count(width)} 个距离；缩小范围可逐个查看。`,
  },
  curve: {
    heading: '未命中率曲线',
    hint: '全相联 LRU 缓存中未命中的访问比例，同时给出每种大小。圆圈是拐点：超过它们，更大的缓存收益变小。',
    axis: '大小',
    modes: { log: '按倍增', linear: '线性' },
    lines: '行数',
    size: '大小',
    ratio: '未命中率',
    knee: '拐点',
    yes: '拐点',
    label: (knees: string, last: number, at: number) =>
      `随缓存大小变化的未命中率。${knees && `拐点：${knees}。`}${count(at)} 行时为 ${percent(last)}。`,
    kneeAt: (lines: number, ratio: number) => `${count(lines)} 行（${percent(ratio)}）`,
    none: '没有拐点：缓存的任何一次倍增都不突出。',
    knees: (list: string) => `拐点在 ${list}。`,
    below: '未命中率不超过以下值的最小缓存',
    smallest: ([lines, ratio]: [number, number], line: number, enough: boolean) => {
      const size = `${count(lines)} 行${line > 1 ? `，${count(lines * line)} 字节` : ''}`;
      const share = `${(100 * ratio).toFixed(3)}\u202f%`;
      return enough
        ? `${size}（${share}）。`
        : `没有这样的大小：从 ${size} 起一直有 ${share} 未命中，因为缓存行的首次访问总是未命中。`;
    },
  },
  parts: {
    heading: '按数组和核函数',
    hint: '距离是整个地址流的；每次访问计入其所属。选择一行可查看其直方图和曲线。',
    array: '数组',
    kernel: '核函数',
    all: '全部',
    nowhere: '不属于已知数组',
    accesses: '访问',
    firsts: '首次使用',
    share: '占比',
    half: '距离中位数',
    show: (name: string) => `显示 ${name}`,
    shown: (name: string) => `显示：${name}`,
    arrays: '数组',
    kernels: '核函数',
  },
  compare: {
    heading: '串行、并行精确与 HP-RDA',
    hint: '同一地址流，用四或五种方法分析。HP-RDA 是 IPDPS 2012 的 GPU 算法，逐步重建。表中列出它节省的时间和误差。',
    run: '运行比较',
    again: '再次运行',
    takes: (n: number) => `约需 ${bytes(n)} 内存。`,
    caption: '各方法的时间和误差',
    way: '方法',
    time: '时间',
    speed: '与串行之比',
    e: '误差 e',
    cdf: '按区间的最大误差',
    mrc: '曲线的最大误差',
    sequential: '串行，秩位',
    parallel: (k: number) => `并行精确，${k} 个 Worker`,
    plain: 'HP-RDA，无 ef',
    adjusted: 'HP-RDA，有 ef',
    gpu: 'WebGPU 上的 HP-RDA',
    parallelTime: (slowest: number, merge: number) => `最慢的分区 ${duration(slowest)}，合并 ${duration(merge)}`,
    wall: (ms: number) => `实际时间 ${duration(ms)}，还包括拷贝和等待核心`,
    equal: '与串行直方图逐位相等',
    unequal: '与串行直方图不相等：请报告此问题',
    gpuEqual: (adapter: string) => `与 CPU 版本的直方图逐位相等${adapter && `（${adapter}）`}`,
    gpuUnequal: '与 CPU 版本的直方图不相等：请报告此问题',
    refused: (why: string, detail: string) =>
      `${refusals[why as GpuRefusal] ?? refusals.failed}${detail && detail !== why ? `（${detail}）` : ''}`,
    done: '比较已完成。',
    chart: '精确与近似的未命中率曲线。',
    legend: { exact: '精确', plain: 'HP-RDA，无 ef', adjusted: 'HP-RDA，有 ef', sample: '抽样' },
    reasons: '原因',
  },
  sweep: {
    heading: 'HP-RDA 随线程轨迹长度的变化',
    hint: '如论文图 16（误差）和图 17（时间）：ST 是一个 GPU 线程处理的引用数。论文选用 2048。',
    run: '运行扫描',
    again: '再次运行',
    done: '扫描已完成。',
    error: '误差 e',
    time: '时间',
    errorLabel: 'HP-RDA 的误差 e 随 ST 的变化，无 ef 与有 ef。',
    timeLabel: 'HP-RDA 的时间随 ST 的变化。',
    errorTitle: 'e（%）',
    timeTitle: '时间（ms，CPU 版本）',
    caption: '误差和时间随 ST 的变化',
    plain: 'e，无 ef',
    adjusted: 'e，有 ef',
    curvePlain: '曲线，无 ef',
    curveAdjusted: '曲线，有 ef',
    note: '线程轨迹越长，看到的重叠越多，误差越小；但在 GPU 上这也意味着线程更少，因此论文没有选最长的。这里的时间是 CPU 版本在一个 Worker 上的时间。',
  },
  sample: {
    heading: '改用抽样（SHARDS）',
    hint: '只看散列值低于阈值的缓存行，并放大其距离：用于长到无法完整分析的地址流。色带是另一次抽样的曲线以 95 % 置信度所在的范围。',
    run: '抽样',
    again: '再次抽样',
    done: '抽样已分析。',
    rate: '缓存行的比例',
    took: (sampled: number, all: number, ms: number, exact: number) =>
      `${count(all)} 次访问中的 ${count(sampled)} 次，用时 ${duration(ms)}；精确分析用时 ${duration(exact)}。`,
    caption: '估计的未命中率及其界',
    lines: '缓存行数',
    estimate: '估计',
    bound: '界，95 %',
    exact: '精确',
    off: '实际误差',
    label: '估计的未命中率曲线及其界，与精确曲线并列。',
    none: '抽样太小，不能说明问题：各大小中没有行数达到抽样率倒数的缓存。',
    within: (n: number, of: number) => `${of} 种大小中有 ${n} 种的精确值在界内。`,
  },
  export: {
    heading: '导出',
    json: '保存 JSON',
    csv: '保存 CSV',
    link: '复制链接',
    hint: 'JSON 与终端的输出相同。CSV 有每个序列的每个距离。链接包含设置和结果的指纹，不包含您的文件：',
  },
  figure: { svg: '保存 SVG' },
};
