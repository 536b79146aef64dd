import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GpuNumbers } from '../engine/types';
import { c, signedBy } from './compare';
import { count, percent1 } from './format';

test('a difference has its sign, and rates differ by points', () => {
  assert.equal(signedBy(-1200, count), '−1\u202f200');
  assert.equal(signedBy(7, count), '+7');
  assert.equal(signedBy(0, count), '±0');
  assert.equal(signedBy(-0.125, percent1), '−12.5 points');
});

test('behind a difference in time stand the clock, the busiest part and what the schedulers do most', () => {
  const stalls = { arithmetic: 0, load: 60, shared: 0, pipe: 20, barrier: 0, launch: 0 };
  const busy = { issue: 0, pipe: 0.9, requests: 0, l2: 0.2, dram: 0.1, replies: 0 };
  const before = { cycles: 1410, seconds: 1e-6, instructions: 20, stalls, busy } as GpuNumbers;
  const now = { ...before, cycles: 1710, busy: { ...busy, dram: 0.95 } };
  assert.equal(
    c.behind(before, now).replaceAll('\u202f', ' '),
    'Clock: 1.41 GHz → 1.71 GHz. Busiest part: Load-store pipes, 90 % → DRAM channels, 95 %. Most cycles of the schedulers: waiting for a load, 60 %.',
  );
});
