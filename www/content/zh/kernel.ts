// Texts of the Kernel tab in Chinese.

import type { k as english } from '../kernel';
import { count } from './format';

export const k: typeof english = {
  setup: '核函数与启动',
  intro:
    '编写或粘贴一个 CUDA 核函数，也可以带上主机代码。它在这里用真实数据运行，访问交给“缓存”标签页的模型。每一行显示它的未命中，或它搬运的字节。',
  loading: '正在加载核函数的源码…',

  library: {
    heading: '核函数',
    label: '库',
    own: '你的核函数',
    open: '打开 .cu 文件…',
    left: '已改动但未运行：',
    unrun: (name: string, at: Date) => `${name}，${at.toLocaleTimeString('zh-CN', { timeStyle: 'short' })}`,
  },

  form: {
    label: '哪些访问',
    compiled: '编译后',
    written: '按源码',
    help: {
      compiled: '编译器留下的加载和存储：值保留在寄存器中，相邻加载合并，循环展开。',
      written: '源码中的每次加载和存储，逐一计入。',
    },
  },

  launch: {
    auto: '停顿时自动运行',
    heading: '启动',
    run: '运行改动',
    again: '再次运行',
    key: 'Ctrl Enter',
    instead: '代替源码自身的启动',
    host: '主机代码的启动',
    hostHelp: '填一个编号，运行每个核函数的该次启动；或填“all”。留空：线程最多的那次启动。',
    of: (kernel: string) => `${kernel} 的启动`,
    guessed: '推测',
    given: '给定',
    notRun: '尚未运行',
    fraction: (name: string, value: string) => ({
      expected: `\`${name}\` 应为整数`,
      found: `\`${value}\``,
      help: '线程块、线程或数组长度由它决定。',
    }),
    blocks: '线程块',
    threads: '线程',
    shared: '共享内存字节',
  },

  code: {
    heading: '核函数',
    label: 'CUDA 源码',
    marks: '带逐行计数的 CUDA 源码',
    hint: (bytes: boolean) => `行旁的数字是${bytes ? '各行在核心与 L2 之间搬运的字节' : ' L1 中的未命中'}。`,
    keys: 'Tab 离开编辑器；Ctrl + Enter 运行。',
    mark: (misses: number, part: string, requests: number) =>
      `${count(requests)} 个请求中有 ${count(misses)} 个未命中，占全部的 ${part}`,
    time: (now: string, before: string | null) => `用时：${before === null ? now : `之前 ${before}，现在 ${now}`}。`,
    marked: '这些标记属于“缓存”标签页的结果。',
    changed: '已改动：运行后可见各行的代价。',
    unfinished: '尚未按这些设置运行。“缓存”标签页显示之前的结果。',
    broken: '运行因错误而结束，见下文。“缓存”标签页显示之前的结果。',
    refused: '这段代码未能运行，下面的消息说明了原因。',
    outdated: '这些消息针对最后一次改动之前的代码。',
    failed: '其中没有可以运行的内容，消息说明了原因。其他标签页仍显示之前的结果。',
  },

  lines: {
    heading: '各行的未命中',
    hint: '全部启动合计，使用“缓存”标签页的设置。',
    line: '行',
    goTo: (line: number) => `转到第 ${line} 行`,
    code: '源码',
    why: '在“缓存”标签页查看原因',
  },

  launches: {
    heading: '指令',
    hint: '线程束指令。访存次数是精确的；其他指令按成本表计数：库中 36 个核函数有 35 个与编译器的结果相差不到四分之一。',
    kernel: '核函数',
    grid: '线程块',
    block: '线程',
    columns: {
      instructions: '全部',
      integer: '整数',
      fp32: 'FP32',
      fp64: 'FP64',
      special: '特殊函数',
      global: '全局',
      shared: '共享',
      local: '局部',
      constant: '常量',
      texture: '纹理',
      branch: '分支',
      barrier: '栅障',
      other: '其他',
    },
    save: (launch: string, format: string) => `保存轨迹${launch && ` ${launch}`}（.${format}）`,
  },

  arrays: {
    heading: '数组',
    hint: '第一次启动之前和最后一次启动之后的内容。',
    name: '数组',
    element: '元素类型',
    elements: '元素数',
    changed: '被写入',
    yes: '是',
    no: '否',
    file: '文件',
    save: 'CSV',
    saveOf: (name: string) => `把 ${name} 保存为 CSV`,
  },

  output: 'printf 的输出',

  limits: {
    heading: '哪些会运行，哪些不会',
    list: [
      '同一文件的核函数按 `// launch:` 注释逐个运行；没有注释时由主机代码决定启动，每个值都注明从何而来。',
      '主机代码只跟踪到启动所需的程度，其余跳过并列出。不运行：递归、动态并行。张量核心的乘积有访问，但没有数值。半精度、cuRAND、CUB 和 Thrust 的头文件由我们的简短源码代替。',
      '同一线程块的线程束在栅障之间轮流锁步执行，原子操作按此次序。GPU 的次序可能不同。',
      '库中全部 36 个核函数的访存次数与 NVIDIA 编译器的结果相等；其中 35 个的指令数相差在 25 % 以内。成本表是用同一批核函数调整的。',
    ],
  },
};
