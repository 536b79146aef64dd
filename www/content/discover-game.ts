// Every text of the game about a hidden GPU: its questions, how to measure each answer, and what an answer is told.

import { bytes, count } from './format';
import { t } from './topology';

const size = (n: number) => `${bytes(n)} (${count(n)} bytes)`;

export const g = {
  label: 'The game',
  at: (question: number, of: number) => `Question ${question} of ${of}`,
  found: (n: number) => `${n} found`,
  over: 'All questions are done',
  heading: 'What does this GPU hide?',
  bypassed: 'Plain global loads of this GPU pass the L1 by, so the questions are about the texture cache.',
  ask: {
    size: (m: string) => `How many bytes fit in the ${t.memory(m)}?`,
    fetch_granularity: (m: string) => `How many bytes does a miss of the ${t.memory(m)} fetch?`,
    line_size: (m: string) => `How long is a line of the ${t.memory(m)}, in bytes?`,
    latency: (m: string) => `How many cycles does a hit in the ${t.memory(m)} take?`,
    amount: (m: string) => `How many instances of the ${t.memory(m)} does a core have?`,
    shared: (m: string) => `Are the ${t.memory(m)} and the texture cache the same cache?`,
  },
  how: {
    size: 'Measure arrays of growing size below. The change lies within the 95 % interval. Then measure that interval again in small steps.',
    fetch_granularity: 'Walk load by load through an array far above the size. Slow loads are one fetch apart.',
    line_size:
      'Walk an array one and a half times the size with strides 60, 120, 240 and 480. At the first stride whose loads are mostly fast, lines are skipped and the array fits: the line is a little more than half of that stride, a power of two.',
    latency: 'Walk through a small array after a warm-up. Recording a time costs 2 cycles, which are in every time.',
    amount:
      'Each warp walks its own array beside warp 0. Warps that disturb warp 0 share its instance: 32 divided by their number, with warp 0 itself, is the answer.',
    shared: 'Let two threads walk one array each. If they disturb each other, they share a cache.',
  },
  answer: 'Your answer',
  toAnswer: 'Answer now',
  choose: 'choose…',
  yes: 'yes, the same cache',
  no: 'no, two caches',
  check: 'Check',
  next: 'Next question',
  show: 'Show this answer',
  notANumber: {
    size: 'Give a size such as 12 KiB or 12288.',
    fetch_granularity: 'Give a number of bytes such as 32.',
    line_size: 'Give a number of bytes such as 64.',
    latency: 'Give a number of cycles.',
    amount: 'Give a whole number.',
    shared: 'Choose yes or no.',
  },
  right: 'Right.',
  shown: 'Shown.',
  small: {
    size: (n: string) => `Too small: an array of ${n} still fits, and so does a larger one.`,
    other: 'Too small. Measure again.',
  },
  large: {
    size: (n: string) => `Too large: an array of ${n} overflows, so its loads are partly slow.`,
    other: 'Too large. Measure again.',
  },
  close: 'You are near. Measure around it in smaller steps.',
  notSo: 'No. Compare the share of slow loads alone and together.',
  because: {
    size: (n: number) =>
      `${size(n)} fit. From the first larger array on, lines push each other out before they are used again.`,
    fetch_granularity: (n: number) => `A miss fetches ${bytes(n)}. The loads behind it in these bytes are hits.`,
    line_size: (n: number) => `Lines have ${bytes(n)}. A stride above it skips lines, so a larger array fits.`,
    latency: (n: number) => `A hit takes ${count(n)} cycles, without the 2 cycles that record its time.`,
    amount: (n: number) =>
      n === 1
        ? 'A core has one: all of its warps disturb each other.'
        : `A core has ${n}. Warps take turns among them, so only every ${n === 2 ? 'second' : `${n}th`} one disturbs warp 0.`,
    shared: (same: boolean) =>
      same
        ? 'They are one cache: what one loads pushes the other out.'
        : 'They are two caches: neither disturbs the other.',
  },
  ended: (found: number, of: number) => `You found ${found} of ${of}.`,
  endedHint: 'Draw another GPU with “Another”, or see everything about this one.',
  everything: 'Answer everything at once',
};
