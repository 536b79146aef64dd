import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GpuNumbers, Work } from '../engine/types';
import { mean } from './format';
import { busiestPart, gpuMeaning, gpuSentence, schedulerCycles, time } from './gpu';

const plain = (text: string) => text.replaceAll('\u202f', ' ');

const numbers = (more: Partial<GpuNumbers> = {}): GpuNumbers => ({
  cycles: 28_012,
  seconds: 0.0000158,
  instructions: 1000,
  l1: { requests: 100, accesses: 3200, sectors: 3200, least_sectors: 400, hits: 2400, hit_rate: 0.75 },
  l2: { reads: 800, read_hits: 400, writes: 4, write_hits: 0, atomics: 0 },
  dram: { reads: 400, writes: 0 },
  shared: { load_wavefronts: 0, store_wavefronts: 0 },
  constants: null,
  occupancy: 0.5,
  working_cores: 28,
  sampled: null,
  stalls: { arithmetic: 1, load: 2, shared: 3, pipe: 4, barrier: 5, launch: 6 },
  busy: { issue: 0.1, pipe: 0.2, l2: 0.92, dram: 0.3, replies: 0.4, requests: 0.1 },
  ...more,
});

const none = { instructions: 0, requests: 0, least: 0 };

const work: Work = {
  request_bytes: 32,
  loads: { instructions: 100, requests: 3200, least: 400 },
  stores: none,
  atomics: none,
  l1_bytes: 25_600,
  l2_bytes: 12_800,
  least_bytes: 12_800,
  block_bytes: 12_800,
  uses: 1,
  advice: { cause: 'coalescing', factor: 8, of: 'loads', array: null },
};

test('the headline leads with time, cycles and what the loads ask for', () => {
  assert.equal(
    plain(gpuSentence(numbers(), work)),
    'Takes 15.8 µs (28 012 cycles). Loads ask for 3 200 sectors, 32 each; 4 would do.',
  );
});

test('then what moves and what is busy, and the hit rate last', () => {
  assert.equal(
    plain(gpuMeaning(numbers(), work, 28)),
    '25 KiB move from the L2 to the L1s; 12.5 KiB would do. 12.5 KiB move from DRAM to the L2. L2 slices are busy 92 % of the time, more than any other part. 75 % of the sectors hit in the L1.',
  );
  const idle = numbers({ busy: { issue: 0.1, pipe: 0.2, l2: 0.2, dram: 0.3, replies: 0.1, requests: 0 } });
  assert.match(
    plain(gpuMeaning(idle, work, 28)),
    /No part is busy half of the time \(DRAM channels, the busiest: 30 %\)/,
  );
});

test('a launch that leaves most cores without work is told so', () => {
  const said = (cores: number) => plain(gpuMeaning(numbers({ working_cores: cores }), work, 28));
  assert.match(said(2), /than any other part\. Only 2 cores of 28 have work\. 75 % of/);
  assert.match(said(1), /Only 1 core of 28 has work\./);
});

test('the busiest part is the one with the largest share', () => {
  assert.equal(busiestPart(numbers()), 'l2');
  assert.equal(busiestPart(numbers({ busy: { ...numbers().busy, requests: 0.95 } })), 'requests');
});

test('times and means in the unit a person would pick', () => {
  const cases: [number, string][] = [
    [2.5, '2.50 s'],
    [0.0125, '12.5 ms'],
    [0.0000213, '21.3 µs'],
    [0.000121, '121 µs'],
    [9e-7, '900 ns'],
    [0, '0.00 ns'],
  ];
  for (const [seconds, said] of cases) assert.equal(plain(time(seconds)), said);
  assert.deepEqual([4, 4.04, 12.35, 128.4].map(mean), ['4', '4', '12.3', '128']);
});

test('issued instructions and stalls make the bar', () =>
  assert.deepEqual(schedulerCycles(numbers()), {
    issued: 1000,
    arithmetic: 1,
    load: 2,
    shared: 3,
    pipe: 4,
    barrier: 5,
    launch: 6,
  }));
