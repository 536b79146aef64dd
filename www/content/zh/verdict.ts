// The sentences of the verdict in Chinese.

import type { KernelReport, Misses } from '../../engine/types';
import { mostMisses, outright } from '../shares';
import { percent, share } from './format';
import { workSentence } from './work';

const kinds = { compulsory: '强制性', capacity: '容量', associativity: '相联度' };

/** Share in words a person would say. */
export function shareInWords(fraction: number): string {
  const words: [number, string][] = [
    [1, '全部'],
    [3 / 4, '四分之三'],
    [2 / 3, '三分之二'],
    [1 / 2, '一半'],
    [1 / 3, '三分之一'],
    [1 / 4, '四分之一'],
  ];
  if (fraction >= 0.95 && fraction < 0.9995) return '几乎全部';
  const near = words.find(([value]) => Math.abs(fraction - value) < (value === 1 ? 0.0005 : 0.02));
  return near ? near[1] : percent(fraction);
}

export function verdictHeadline(k: KernelReport): string {
  return k.work && k.requests > 0 ? workSentence(k.work) : verdictSentence(k);
}

export function verdictSentence(k: KernelReport): string {
  const misses = outright(k.misses);
  if (k.requests === 0) return '这个核函数没有向缓存发出请求。';
  const late = share(k.misses.latency, k.requests);
  const lateText = late >= 0.005 ? `另有 ${percent(late)} 等待已在途中的缓存行。` : '';
  if (misses === 0) return `没有请求未命中。${lateText}`;
  const rate = share(misses, k.requests);
  const [kind, n] = mostMisses(k.misses);
  return `${rate > 0.9995 ? '所有请求都未命中' : `${percent(rate)} 的请求未命中`}；其中${shareInWords(n / misses)}是${kinds[kind]}未命中${inArray(k, kind)}。${lateText}`;
}

function inArray(k: KernelReport, kind: keyof Misses): string {
  const { array, array_share, class: told } = k.verdict;
  if (array === null || told !== kind || k.arrays.length < 2) return '';
  const name = `数组 ${array.replace(/^array /, '')}`;
  if (array_share >= 0.9995) return `，都在${name} 中`;
  return `，后者的${shareInWords(array_share)}在${name} 中`;
}

export function verdictMeaning(k: KernelReport): string {
  const rate = k.work && k.requests > 0 ? verdictSentence(k) : '';
  const waits =
    k.misses.latency > outright(k.misses) && outright(k.misses) > 0
      ? '大部分等待来自再次请求仍在途中的缓存行。在加载与重用之间安排更多工作，或使用更多线程束，可以掩盖它。'
      : '';
  return rate + waits;
}
