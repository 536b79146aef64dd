// Every text of the game about a hidden GPU, in Chinese.

import type { g as english } from '../discover-game';
import type { Translated } from '../translated';
import { bytes, count } from './format';
import { t } from './topology';

const size = (n: number) => `${bytes(n)}（${count(n)} 字节）`;

export const g: Translated<typeof english> = {
  label: '游戏',
  at: (question: number, of: number) => `第 ${question} 题，共 ${of} 题`,
  found: (n: number) => `找到 ${n} 个`,
  over: '所有问题都已完成',
  heading: '这个 GPU 隐藏了什么？',
  bypassed: '这个 GPU 的普通全局加载绕过 L1，因此问题针对纹理缓存。',
  ask: {
    size: (m: string) => `${t.memory(m)} 能放下多少字节？`,
    fetch_granularity: (m: string) => `${t.memory(m)} 的一次未命中取来多少字节？`,
    line_size: (m: string) => `${t.memory(m)} 的缓存行有多少字节？`,
    latency: (m: string) => `在 ${t.memory(m)} 命中需要多少周期？`,
    amount: (m: string) => `一个核心有几个 ${t.memory(m)}？`,
    shared: (m: string) => `${t.memory(m)} 与纹理缓存是同一个缓存吗？`,
  },
  how: {
    size: '在下面测量逐渐增大的数组。变化位于 95 % 区间内。然后在该区间以小步长再测一次。',
    fetch_granularity: '逐次加载地走过一个远大于缓存的数组。慢的加载相隔一次取数的长度。',
    line_size:
      '用步长 60、120、240 和 480 走过一个为缓存 1.5 倍的数组。在加载多数变快的第一个步长上，缓存行被跳过，数组放得下：缓存行略大于该步长的一半，是 2 的幂。',
    latency: '预热之后走过一个小数组。记录时间需要 2 个周期，包含在每个时间中。',
    amount:
      '每个线程束与线程束 0 同时走各自的数组。干扰线程束 0 的线程束与它共用一个缓存：32 除以它们的数目（含线程束 0）就是答案。',
    shared: '让两个线程各走一个数组。如果互相干扰，它们共用一个缓存。',
  },
  answer: '你的答案',
  toAnswer: '现在作答',
  choose: '请选择…',
  yes: '是，同一个缓存',
  no: '否，两个缓存',
  check: '检查',
  next: '下一题',
  show: '显示这个答案',
  notANumber: {
    size: '请填大小，如 12 KiB 或 12288。',
    fetch_granularity: '请填字节数，如 32。',
    line_size: '请填字节数，如 64。',
    latency: '请填周期数。',
    amount: '请填整数。',
    shared: '请选择是或否。',
  },
  right: '正确。',
  shown: '已显示。',
  small: {
    size: (n: string) => `太小：${n} 的数组仍放得下，更大的也可以。`,
    other: '太小。请再测。',
  },
  large: {
    size: (n: string) => `太大：${n} 的数组放不下，因此有些加载慢。`,
    other: '太大。请再测。',
  },
  close: '已接近。在附近用更小的步长测量。',
  notSo: '不对。比较单独运行与一起运行时慢加载的比例。',
  because: {
    size: (n: number) => `能放下 ${size(n)}。数组再大，缓存行就会在再次使用之前互相挤出。`,
    fetch_granularity: (n: number) => `一次未命中取来 ${bytes(n)}。这些字节中随后的加载都命中。`,
    line_size: (n: number) => `缓存行有 ${bytes(n)}。步长超过它就会跳过缓存行，因此放得下更大的数组。`,
    latency: (n: number) => `命中需要 ${count(n)} 个周期，不含记录时间的 2 个周期。`,
    amount: (n: number) =>
      n === 1
        ? '一个核心有一个：所有线程束互相干扰。'
        : `一个核心有 ${n} 个。线程束轮流使用，因此每 ${n} 个中只有一个干扰线程束 0。`,
    shared: (same: boolean) =>
      same ? '它们是同一个缓存：一个加载的内容会挤出另一个的。' : '它们是两个缓存：互不干扰。',
  },
  ended: (found: number, of: number) => `你找到了 ${of} 个中的 ${found} 个。`,
  endedHint: '用“换一个”取另一个 GPU，或查看这个 GPU 的一切。',
  everything: '一次回答全部',
};
