import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GpuNumbers, KernelReport } from '../engine/types';
import { c } from './compare';
import { concludeMisses, concludeTimes, noLossOfHits, noLossOfMisses } from './conclusion';
import { marginOf } from './margin';

const plain = (text: string) => text.replaceAll('\u202f', ' ');

/** A kernel whose time follows from cycles and a clock in GHz. */
function run(cycles: number, clock = 1.78, more: Partial<Record<'sectors' | 'hits' | 'reads', number>> = {}) {
  const { sectors = 100, hits = 50, reads = 50 } = more;
  return {
    cycles,
    seconds: cycles / (clock * 1e9),
    instructions: 1000,
    working_cores: 2,
    l1: { sectors, hits, hit_rate: hits / sectors },
    l2: { reads, writes: 10, atomics: 0 },
    dram: { reads: 20 },
    shared: { load_wavefronts: 0, store_wavefronts: 0 },
  } as GpuNumbers;
}

const on = (gpu: string, set: Record<string, string> = {}) => ({ gpu, set });
const sure = marginOf(on('a100'), on('rtx3080'));
const told = (before: GpuNumbers, now: GpuNumbers, margin = sure) =>
  plain(c.conclusion(concludeTimes(before, now, margin)));

const MORE =
  ' 2 cores have work on both. That is more than the model’s error explains: its mean error on these GPUs is 13 %.';

test('the same cycles at a faster clock are told by the clock', () => {
  assert.equal(
    told(run(10_000), run(10_010, 2.52)),
    `1.41 times as fast: the same cycles at a faster clock (1.78 GHz → 2.52 GHz).${MORE}`,
  );
  assert.equal(
    told(run(10_000, 2.52), run(20_000, 1.78)),
    `Takes 2.8 times as long: 2 times as many cycles at a slower clock (2.52 GHz → 1.78 GHz).${MORE}`,
  );
});

test('at one clock a time is told by what moved farthest to its side', () => {
  const rows = run(20_000, 1.78, { sectors: 660, hits: 600, reads: 60 });
  const columns = run(10_000, 1.78, { sectors: 100, hits: 20, reads: 50 });
  assert.equal(told(rows, columns), `2 times as fast: loads ask for 6.6 times fewer sectors.${MORE}`);
  assert.equal(told(columns, rows), `Takes 2 times as long: loads ask for 6.6 times as many sectors.${MORE}`);
  assert.equal(told(run(20_000), run(10_000)), `2 times as fast.${MORE}`);
  const one = marginOf(on('a100'), on('a100'));
  assert.match(
    told(run(20_000), run(10_000), one),
    /^2 times as fast\. That is more .* its mean error on this GPU is 13 %\.$/,
  );
});

test('beside the same time stands the number that moved farthest', () => {
  const same = concludeTimes(run(10_000), run(10_000), sure);
  const most = { name: 'L2 hit rate', before: '62.0 %', now: '58.1 %' };
  assert.equal(c.conclusion(same, most), 'The same time. What differs most: L2 hit rate, 62.0 % → 58.1 %.');
});

test('a time within the error tells nothing, whichever of the runs comes first', () => {
  const [a, b] = [run(10_000), run(9_000)];
  assert.equal(
    told(a, b),
    'No difference that the model can tell: 10 % less time, and its mean error on these GPUs is 13 %.',
  );
  assert.match(told(b, a), /^No difference that the model can tell: 11 % more time/);
  const unknown = marginOf(on('rtx3060'), on('rtx3060'));
  assert.equal(
    told(run(10_000), run(9_820), unknown),
    'No difference that the model can tell: 1.8 % less time, and its error on this GPU is unknown (13 % assumed).',
  );
  assert.match(told(a, run(8_000), unknown), /^1.25 times as fast/);
  // The worst measured error stands for an unknown one.
  assert.ok(marginOf(on('rtx3060'), on('rtx3060')).error >= marginOf(on('rtx2060'), on('rtx2060')).error);
  // A changed GPU is one that nobody measured.
  assert.equal(marginOf(on('a100'), on('a100', { l1_ways: '8' })).unknown, 1);
  assert.equal(plain(c.conclusion({ kind: 'same' })), 'No difference.');
});

const l1 = (requests: number, misses: number, bytes = 128 * misses) =>
  ({
    requests,
    miss_rate: misses / requests,
    misses: { compulsory: misses, capacity: 0, associativity: 0, latency: 0, mshr: 0 },
    work: { l1_bytes: bytes },
  }) as KernelReport;

test('a model of one L1 is told by requests, bytes and the miss rate', () => {
  const say = (a: KernelReport, b: KernelReport) => plain(c.conclusion(concludeMisses(a, b)));
  assert.equal(
    say(l1(1000, 200), l1(1000, 100)),
    '2 times fewer bytes into the L1s, the miss rate falls from 20.0 % to 10.0 %.',
  );
  assert.equal(
    say(l1(6600, 660), l1(1000, 500)),
    '6.6 times fewer requests, 1.32 times fewer bytes into the L1s, the miss rate rises from 10.0 % to 50.0 %.',
  );
  assert.equal(say(l1(1000, 200), l1(1000, 200)), 'The same requests and the same miss rate.');
});

test('a worse rate of far fewer requests is no loss, unless more miss or the time is longer', () => {
  const rows = run(20_000, 1.78, { sectors: 660, hits: 580 });
  const columns = run(10_000, 1.78, { sectors: 100, hits: 20 });
  assert.equal(noLossOfHits(rows, columns), 6.6);
  assert.equal(noLossOfHits(columns, rows), null);
  assert.equal(noLossOfHits(rows, { ...columns, seconds: 1 }), null);
  assert.equal(noLossOfMisses(l1(6600, 660), l1(1000, 500)), 6.6);
  assert.equal(noLossOfMisses(l1(6600, 660), l1(1000, 700)), null);
});
