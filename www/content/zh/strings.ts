// The texts of the page in Chinese.

import type { Diagnostic, FileId, Misses } from '../../engine/types';
import type { Strings } from '../strings';
import { bytes, count, isolated, percent, share } from './format';
import { say } from './messages';
import { verdictHeadline, verdictMeaning } from './verdict';

export const className: Record<keyof Misses, string> = {
  compulsory: '强制性',
  capacity: '容量',
  associativity: '相联度',
  latency: '延迟',
  mshr: 'MSHR',
};

const zh: Strings = {
  name: 'Warpscope',
  tagline: '看清 GPU 核函数的访存代价，以及它们为什么未命中。',
  intro: '放入访存轨迹或 CUDA 源码，或者选一个示例。',
  promise: '数据不会离开浏览器。',
  promiseMore:
    '文件在本机读取和分析，页面的安全策略禁止它向任何地方发送数据。文件（最多 128 MB）、最近的运行、尚未运行的源码和偏好设置保存在本浏览器中，选择“全部清除”即可删除。',
  skip: '跳到结果',
  starting: '正在启动引擎…',

  part: {
    loading: '正在加载…',
    failed: '加载失败，请检查网络连接。',
    again: '重试',
    openAll: '展开全部细节',
    foldAll: '收起全部细节',
    rows: (n: number) => `${count(n)} 项`,
  },

  sure: { title: '这个数字有多可靠？' },
  sweep: { title: '改变参数', fingerprint: '指纹' },
  why: { title: '为什么是这次访问？' },

  tabs: {
    label: '实验室的各部分',
    names: {
      cache: '缓存',
      kernel: '核函数',
      reuse: '重用',
      topology: '拓扑',
      placement: '放置',
      learn: '课程',
      check: '自检',
    },
    loading: '正在加载此标签页…',
    failed: '此标签页加载失败，请检查网络连接。',
    again: '重试',
  },

  theme: { label: '配色', auto: '自动', light: '浅色', dark: '深色' },

  source: {
    heading: '轨迹',
    drop: '或把文件拖到页面任意处',
    dropNow: '松开即打开',
    button: '打开文件…',
    which: '支持哪些文件？',
    formats:
      'CUDA 核函数（.cu）。轨迹：.trc、.traceg、原始 .trace、kernelslist.g、NVBit mem_trace、CUTracer。GPU：Warpscope 拓扑、mt4g、GPGPU-Sim。性能剖析：Nsight Compute、nvprof、KTT。以上文件也可用 gzip、zstd、xz 或 zip 压缩。',
    example: '示例',
    text: '打开它的源码',
    ownFiles: '你的文件',
    none: '请选择',
    file: (name: string, size: number) => `${isolated(name)}，${bytes(size)}`,
    kernels: (n: number) => `${count(n)} 个核函数`,
    topology: (name: string) => `来自文件的 GPU：${name}`,
    files: '正在使用的文件',
    more: (n: number) => `以及另外 ${count(n)} 个`,
  },

  kept: {
    recent: '最近',
    none: '没有保存任何内容。',
    run: (gpu: string, model: string, at: Date) =>
      `${gpu}，${model}，${at.toLocaleString('zh-CN', { dateStyle: 'short', timeStyle: 'short' })}`,
    forget: '全部清除',
    forgotten: '本浏览器中保存的内容已全部删除。',
    refused: '浏览器的存储没有响应。',
  },

  support: {
    noWasm: '本浏览器关闭了 WebAssembly。Warpscope 需要它才能在你的机器上运行模型。',
    noSimd: 'Warpscope 需要 WebAssembly SIMD：Chrome 或 Edge 96、Firefox 89、Safari 16.4 或更新的版本。',
  },

  contents: {
    heading: '文件里有什么',
    summary: (files: number, kernels: number) => `${count(files)} 个文件，${count(kernels)} 个核函数`,
    estimate: (memory: number, time: string) => `一次运行约需 ${bytes(memory)} 内存${time && `和${time}`}。`,
    time: (ms: number) =>
      ms < 1000
        ? '不到一秒'
        : ms < 90_000
          ? ` ${count(Math.ceil(ms / 1000))} 秒`
          : ` ${count(Math.ceil(ms / 60_000))} 分钟`,
    files: '文件',
    file: '文件',
    format: '格式',
    recognised: '识别依据',
    by: { content: '内容', name: '文件名', choice: '你的选择' },
    readAs: '读作',
    readAsOf: (name: string) => `将 ${name} 读作`,
    asItLooks: '识别出的格式',
    fits: '内容符合',
    others: '其他格式',
    formats: {
      trc: 'Ocelot .trc',
      traceg: 'Accel-Sim .traceg 或 .trace',
      mem_trace: 'NVBit mem_trace',
      cutracer: 'CUTracer NDJSON',
      kernelslist: 'kernelslist',
      lackey: 'Valgrind lackey',
      din: 'Dinero din',
      pinatrace: 'pinatrace',
      csv: '地址 CSV',
      u64: '64 位地址',
      oracle_general: 'libCacheSim oracleGeneral',
      json: 'JSON',
      profile: '性能剖析',
      cuda: 'CUDA C++',
    },
    askHeading: '它是哪种格式？',
    ask: (name: string, formats: string[], now: string) =>
      `${name} 可能是 ${formats.join(' 或 ')}。目前按 ${now} 读取。`,
    askAs: (format: string) => `读作 ${format}`,
    refusedHeading: '无法使用的文件',
    streamHeading: '地址流，用于重用标签页',
    role: '用作',
    roles: {
      trace: '轨迹',
      'address stream': '地址流，用于“重用”标签页',
      'kernels list': '核函数列表',
      topology: 'GPU',
      profile: '性能剖析，与模型对照',
      unknown: '无',
    },
    size: '大小',
    otherGpu: '无：使用了后面的 GPU',
    kernelCount: '核函数',
    skipped: '已跳过',
    nothing: '无',
    skippedItem: (what: string, line: number | null, why: string) =>
      `${line === null ? '' : `第 ${count(line)} 行：`}${say(what)}：${say(why)}`,
    skippedCount: (n: number) => `${count(n)} 项`,
    kernels: '核函数',
    run: '运行',
    runOf: (number: number, name: string) => `运行核函数 ${number}，${name}`,
    only: '只运行它',
    onlyOf: (number: number, name: string) => `只运行核函数 ${number}，${name}`,
    all: '全部核函数',
    chosen: (n: number, of: number) =>
      n === of ? `运行全部 ${count(of)} 个核函数。` : `运行 ${count(of)} 个核函数中的 ${count(n)} 个。`,
    kernel: '核函数',
    grid: '线程块数',
    block: '每块线程数',
    present: '轨迹中的线程块',
    threads: '线程',
    warps: '线程束',
    instructions: '指令',
    memoryInstructions: '访存指令',
    accesses: '束内线程的访问',
    accessName: (key: string) => accessNames[key] ?? key.replace('_', ' '),
    noAccesses: '无',
    warm: '核函数之间保持缓存为热',
    warmHelp: '关闭：每个核函数都从空的 L1 开始，大多数 GPU 如此。',
    warmReference: '论文作者的程序没有热缓存。',
    arrays: '数组',
    array: '数组',
    named: '有名称',
    namedHelp: '文件给出了这个数组的名称：一次到 GPU 的拷贝或一次分配。',
    rename: (name: string) => `数组 ${name} 的名称`,
    renameHint: '输入另一个名称，它将用于本页、链接和导出文件。',
    base: '起始地址',
    arraySize: '大小',
  },

  settings: {
    heading: '设置',
    gpu: 'GPU',
    gpuFromFile: (name: string) => `${name}（来自你的文件）`,
    gpuFile: '放入的拓扑',
    saveGpu: '把此 GPU 保存为 JSON',
    schema: '它的格式',
    model: '模型',
    models: {
      gpu: 'gpu：整个 GPU',
      paper: 'paper：一个 L1（HPCA 2014）',
      reference: 'reference：一个 L1（作者的程序）',
    },
    modelHelp: {
      gpu: '以周期为单位模拟整个 GPU：调度器、L1、L2 和 DRAM。',
      paper: '一个 L1，延迟取自 Fermi，按论文所述建模：说明每次访问为什么未命中。',
      reference: '同一个 L1，与论文作者的程序完全一致，包括其特有行为。',
    },
    seed: '种子',
    drawSeed: '随机取一个种子',
    run: '运行',
    stale: '此结果之后设置已改变。',
    otherInput: (failed: boolean) => `${failed ? '新输入运行失败' : '新输入还没有结果'}。下面是之前的结果。`,
    runAgain: '用新设置运行',
    advanced: '全部参数',
    changed: (n: number) => `已改 ${count(n)} 项`,
    reset: '还原',
    resetOf: (label: string) => `还原“${say(label)}”`,
    resetAll: '全部还原',
    changedList: '已改的参数',
    chip: (label: string, value: string, own: string) => `${say(label)}：${value}${own && `（原为 ${own}）`}`,
    changedBadge: '已改',
    changedHelp: (own: string, status: string) => `这是你的值。GPU 自身的值是 ${own}（${status}）。`,
    summary: (size: number, line: number, ways: number, cores: number) =>
      [
        `L1 ${bytes(size)}`,
        `缓存行 ${count(line)} B`,
        `${count(size / line / ways)} 组 × ${count(ways)} 路`,
        ...(Number.isFinite(cores) ? [`${count(cores)} 个核心`] : []),
      ].join('，'),
    yes: '是',
    no: '否',
    sourceOf: (source: string) => `来源：${source}`,
    status: { official: '官方', measured: '实测', assumed: '假定', option: '开关' },
    statusHelp: {
      official: '厂商公布，或从设备读出。',
      measured: '有人测得，来源中写明是谁。',
      assumed: '没有人测过，模型使用一个合理的值。',
      option: '模型的开关，不是 GPU 的事实。',
    },
  },

  progress: {
    reading: '正在读取',
    emulating: '正在运行 CUDA 源码',
    running: '正在模拟',
    cancelling: '正在取消…',
    cancel: '取消',
    of: (done: number, total: number) => percent(share(done, total)),
    bytes: (done: number, total: number) => `${bytes(done)} / ${bytes(total)}`,
    left: (seconds: number) =>
      seconds < 90 ? `约剩 ${count(Math.ceil(seconds))} 秒` : `约剩 ${count(Math.ceil(seconds / 60))} 分钟`,
    cancelled: '已取消。“缓存”标签页显示之前的结果。',
    cancelledEmpty: '已取消。',
    firstDiffers: '本浏览器算出的结果与页面自带的结果不同。页面显示新的结果；请报告此问题。',
    done: (kernels: number) => `完成：分析了 ${count(kernels)} 个核函数。`,
  },

  memory: {
    heading: '这次运行可能放不下',
    text: (need: number) => `它约需 ${bytes(need)} 内存，而浏览器的一个标签页最多约有 4 GiB。终端没有这个限制：`,
    before: '下面仍是之前的结果。',
    anyway: '仍在这里运行',
    copy: '复制命令',
    copied: '命令已复制。',
  },

  diagnostics: {
    headingRun: '消息',
    severity: { note: '提示', warning: '警告', error: '错误' },
    place: (file: string, line: number | null) => (line === null ? file : `${isolated(file)}，第 ${count(line)} 行`),
    expected: '应为',
    found: '实际',
    help: '怎么办',
    about: '说明',
    dismiss: '关闭消息',
    kept: '其中没有可以运行的内容，消息说明了原因。页面仍显示之前的结果。',
    stream: (names: string) =>
      `${names}：地址流，没有可供缓存模型调度的线程束。“重用”标签页给出它的重用距离和各种缓存大小的未命中率。`,
    toReuse: '在“重用”标签页中分析',
    keptEmpty: '其中没有可以运行的内容，消息说明了原因。请选一个示例或放入另一个文件。',
    summary: (errors: number, warnings: number) =>
      [errors ? `${count(errors)} 个错误` : '', warnings ? `${count(warnings)} 个警告` : '']
        .filter(Boolean)
        .join('，') || '只有提示',
    show: (n: number) => `${count(n)} 条消息`,
  },

  wanted: {
    heading: (n: number) => `此链接需要 ${count(n)} 个文件`,
    text: '链接从不携带文件。把文件放到这里，就会重复链接中的运行。',
    item: (f: FileId) => `${count(f.size)} 字节，SHA-256`,
    mismatch: '这些文件不是链接所指的文件：',
    missing: (f: FileId) => `缺少 ${f.name}。`,
    different: (f: FileId, size: number) =>
      size === f.size
        ? `${f.name} 大小相符，但内容不同。`
        : `${f.name} 有 ${count(size)} 字节，应为 ${count(f.size)} 字节。`,
    use: '仍使用它们',
    example: '改为显示示例',
    open: '打开文件…',
  },

  reproduced: {
    yes: '已复现',
    yesMore: '这次运行给出了链接所承诺的结果。',
    no: '未复现',
    noMore: '这次运行的结果与链接所承诺的不同。',
    promised: '链接中的指纹',
    here: '这次运行的指纹',
    reasons: '可能的原因：',
    why: ['链接由另一版本的 Warpscope 生成；', '链接中的参数、种子或 GPU 被手工修改过；', '文件并不相同，但仍被使用。'],
  },

  verdict: {
    heading: '结论',
    sentence: verdictHeadline,
    meaning: verdictMeaning,
    requests: '请求',
    missRate: '未命中率',
    perLoad: '每次加载的请求',
    least: '最少可能',
    fetched: '进入 L1',
    leastBytes: '最少需搬运',
    latency: '延迟未命中',
    ticks: '节拍',
    of: (gpu: string, model: string) => `${gpu}，模型“${model}”`,
    bar: (parts: string) => `全部请求按结果划分：${parts}`,
    hits: '命中',
    grid: '网格',
    block: '线程块',
  },

  kernels: {
    heading: '核函数',
    hint: '选择一个核函数查看细节。',
    kernel: '核函数',
    grid: '线程块数',
    block: '每块线程数',
    requests: '请求',
    missRate: '未命中率',
    latency: '延迟未命中',
    chosen: '显示于下方',
    total: (n: number, requests: number, rate: number, latency: number) =>
      `${count(n)} 个核函数共发出 ${count(requests)} 个请求；其中 ${percent(rate)} 未命中，另有 ${percent(latency)} 等待正在途中的缓存行。`,
  },

  kinds: {
    heading: '未命中的种类',
    kind: '种类',
    attributed: '逐次归类',
    share: '占全部请求',
    differential: '四次运行之差',
    note: '逐次归类：每个未命中在发生时归入一类，因此命中与未命中之和等于请求数。四次运行之差：与论文相同，取四次完整运行之间的差。两列不必一致。',
    noDifferential: '此结果没有做论文的四次运行。',
    total: '请求',
  },

  histogram: {
    heading: '重用距离',
    hint: '自上次使用该缓存行以来，同组内用过多少个不同的缓存行。少于路数：命中。',
    hintProgram: '在作者的程序中，距离等于路数时仍算命中。在真实的组中这会是未命中。',
    distance: '重用距离',
    requests: '请求',
    share: '占比',
    upTo: '累计',
    first: '∞（首次使用或正在途中）',
    outcome: '在有这么多路的组中',
    hit: '命中',
    miss: '未命中',
    label: (near: number, first: number, firstMiss: number | null) =>
      `重用距离直方图。${firstMiss === null ? '' : `${percent(near)} 的请求距离小于 ${firstMiss}，命中。`}${percent(first)} 的请求距离为无穷：首次使用，或缓存行仍在途中。`,
  },

  arrays: {
    heading: '按数组统计的未命中',
    name: '数组',
    base: '起始地址',
    size: '大小',
    guessed: '推测',
    guessedHelp: '轨迹没有给出数组名；这个数组是从地址的间隔推测的。',
  },

  instructions: {
    heading: '按指令统计的未命中',
    pc: 'PC',
    opcode: '指令',
    goTo: (line: number) => `显示核函数第 ${line} 行`,
    line: '源码行',
    space: '空间',
    width: '每线程字节',
  },

  counts: {
    requests: '请求',
    misses: '未命中',
    missShare: '占全部未命中',
    missRate: '未命中率',
    mostly: '主要种类',
    latency: '延迟未命中',
    none: '无',
  },

  sets: {
    heading: '按组统计的未命中',
    hint: '暗色表示未命中少，亮色表示多。颜色均匀为好。暗色中有少数亮组，说明许多在用的缓存行挤在少数几组里。',
    set: '组',
    brief: (worst: number, part: number) => `最多的是第 ${worst} 组：${percent(part)}`,
    label: (n: number, worst: number, missShare: number) =>
      `${count(n)} 个组的未命中热图。第 ${worst} 组未命中最多：占全部的 ${percent(missShare)}。`,
  },

  timeline: {
    heading: '未命中随时间的变化',
    hint: '运行期间的未命中率和忙碌的 MSHR。',
    tick: '起始节拍',
    requests: '请求',
    misses: '未命中',
    missRate: '未命中率',
    mshrs: '忙碌 MSHR 的平均数',
    label: (n: number, peak: number) =>
      `${count(n)} 个时间段的未命中率和忙碌 MSHR。各段平均至多有 ${peak.toFixed(1)} 个 MSHR 忙碌。`,
  },

  cores: {
    heading: '按核心统计的未命中',
    core: '核心',
    ticks: '节拍',
    spread: (low: number, high: number, n: number) =>
      n === 1
        ? '只有一个核心有工作。'
        : `${count(n)} 个核心有工作，未命中率在 ${percent(low)} 与 ${percent(high)} 之间。`,
  },

  notes: { heading: '这次运行没有考虑的因素', none: '这次运行没有说明。' },

  export: {
    heading: '导出',
    json: 'JSON 报告',
    csv: 'CSV 报告',
    svg: '保存 SVG',
    bar: '分类条 SVG',
    link: '复制链接',
    copied: '链接已复制。',
    copyFailed: '浏览器不允许复制。链接如下：',
    linkLabel: '此结果的链接',
    saveScenario: '下载场景文件',
    markdown: '复制为 Markdown',
    cite: '复制引用',
    linkHint: '链接包含设置和结果的指纹，不包含你的文件。',
    gone: '此结果属于已停止的引擎。请重新运行后再导出。',
  },

  figure: {
    table: '以表格显示数值',
    drawing: '正在绘制…',
    failed: '无法绘制此图。表格中有它的全部数值。',
    gone: '引擎已停止，请重新运行以绘制此图。表格中有它的全部数值。',
  },

  table: {
    more: (shown: number, all: number) => `显示 ${count(all)} 行中的 ${count(shown)} 行。`,
    moreButton: (n: number) => `再显示 ${count(n)} 行`,
    sortBy: (label: string) => `按“${label}”排序`,
    empty: '没有内容。',
  },

  help: { open: '帮助与键盘', heading: '帮助', close: '关闭' },
  term: { definition: '显示定义。', more: '单位、公式与来源' },

  crash: {
    heading: '出错了',
    text: '这是 Warpscope 的错误，不是你的文件的问题。没有向任何地方发送数据。你可以复制细节写入报告，然后重新开始。',
    engine:
      '引擎停止了或无法启动。“重新开始”会启动另一个引擎并重复你的操作。引擎需要支持 WebAssembly 和模块 Worker 的浏览器（任何现行版本）。',
    memory: '浏览器内存不足。请关闭其他标签页，换用较小的轨迹，或在终端运行 Warpscope。',
    details: '细节',
    copy: '复制细节',
    copied: '细节已复制。',
    again: '重新开始',
  },

  problem: {
    linkFile: '链接',
    linkHelp: '请检查链接是否完整。页面改为显示默认示例。',
    noTrace: '没有可运行的内容。请打开轨迹或选一个示例。',
  },

  describe: (d: Diagnostic) =>
    `${d.file}${d.line === null ? '' : `:${d.line}`}：${zh.diagnostics.severity[d.severity]}：应为 ${say(d.expected)}，实际 ${say(d.found)}${d.help ? `；${say(d.help)}` : ''}`,
};

/** Accesses of lanes by space and kind. */
const accessNames: Record<string, string> = {
  global_load: '全局加载',
  global_store: '全局存储',
  local_load: '局部加载',
  local_store: '局部存储',
  shared_load: '共享加载',
  shared_store: '共享存储',
  constant_load: '常量加载',
  texture_load: '纹理加载',
  atomic: '原子操作',
};

export type { Strings };
export const s = zh;
