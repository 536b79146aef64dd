import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GpuKernelReport, KernelReport } from '../engine/types';
import { coreNumbers, flowNumbers, kernelNumbers, rooflineNumbers } from './figure-numbers';

test('a kernel is the list that the engine’s own test reads', () => {
  const kernel = {
    ticks: 99,
    histogram: { '3': 10, inf: 5 },
    sets: [
      { set: 0, requests: 9, hits: 2, latency: 1 },
      { set: 1, requests: 8, hits: 0, latency: 3 },
    ],
    timeline: [{ tick: 0, requests: 15, misses: 9, mshrs: 2.5 }],
  } as unknown as KernelReport;
  assert.deepEqual(
    [...kernelNumbers(kernel, 4, true)],
    [4, 1, 99, 2, 3, 10, -1, 5, 2, 9, 2, 1, 8, 0, 3, 1, 0, 15, 9, 2.5],
  );
});

test('cores and a roofline are the lists that the engine’s own test reads', () => {
  const cores = [
    { core: 0, l1_sectors: 9, l1_hits: 4 },
    { core: 3, l1_sectors: 8, l1_hits: 0 },
  ];
  const roofline = { operations: 1, operations_per_second: 5e9, per_l2_byte: 2.5, per_dram_byte: null };
  const kernel = { rows: { cores }, roofline } as unknown as GpuKernelReport;
  assert.deepEqual([...coreNumbers(kernel)], [2, 0, 9, 4, 3, 8, 0]);
  assert.deepEqual([...(rooflineNumbers(kernel) ?? [])], [5e9, 2.5, -1]);
  assert.equal(rooflineNumbers({ ...kernel, roofline: null }), null);
});

test('a flow is the list that the engine’s own test reads', () => {
  const gpu = {
    l1: { sectors: 1, hits: 2 },
    l2: { reads: 3, read_hits: 4, writes: 5, atomics: 6 },
    dram: { reads: 7, writes: 8 },
    busy: { issue: 9, pipe: 10, l2: 11, dram: 12, replies: 13, requests: 14 },
  };
  assert.deepEqual([...flowNumbers({ gpu } as GpuKernelReport)], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
});
