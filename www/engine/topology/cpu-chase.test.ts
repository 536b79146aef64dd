import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chaser, UNROLLED } from './chase-module';
import { sliceOf, tickOf } from './clock';
import { CpuChase, grid, pairBytes, PER_OCTAVE, rising, unsettled, type Chains } from './cpu-chase';

/** Chains without the engine: backwards, which is an order like any other. */
const chains: Chains = {
  local: (bytes, stride) => Uint32Array.from({ length: Math.floor(bytes / stride) }, (_, i) => i * stride).reverse(),
  pairs: (bytes, distance) =>
    Uint32Array.from({ length: 2 * Math.floor(bytes / 1024) }, (_, i) => (i >> 1) * 1024 + (i & 1) * distance),
  line: (distances, times) => distances[times.findIndex((ns) => ns > times[0]! * 1.2)] ?? 0,
  majority: (votes) => votes.reduce((most, vote) => Math.max(most, vote), 0),
};

test('the walk follows the chain and comes back', () => {
  const chaser = new Chaser(1 << 16, 1 << 20);
  const order = Uint32Array.of(64, 8, 4096, 0, 12, 32_000, 20);
  chaser.lay(order);
  for (let loads = 0; loads < 20 * order.length;) {
    assert.equal(chaser.at, order[loads % order.length]);
    loads += chaser.walk(1);
  }
  assert.equal(chaser.walk(UNROLLED + 1), 2 * UNROLLED, 'whole sixteens');
  assert.ok(chaser.grow(1 << 20) && chaser.bytes === 1 << 20);
  assert.ok(!chaser.grow(1 << 21), 'not beyond what was asked for at first');
});

test("a tick is the clock's step, whatever it is", () => {
  let t = 0;
  const coarse = (step: number) => () => Math.floor((t += 0.03) / step) * step;
  for (const step of [0.1, 1, 7]) assert.ok(Math.abs(tickOf(coarse(step)) - step) < 0.05 * step, String(step));
  assert.equal(
    tickOf(() => 5),
    Infinity,
    'a clock that stands still is too coarse',
  );
  assert.deepEqual([sliceOf(0.001), sliceOf(0.1), sliceOf(1)], [1, 1, 5]);
  assert.equal(sliceOf(0.3), 3);
});

test('the grid has eight sizes to an octave, in whole lines', () => {
  const sizes = grid(4096, 1 << 26, PER_OCTAVE, 64);
  assert.equal(sizes.length, 113);
  assert.equal(sizes.at(-1), 1 << 26);
  assert.ok(sizes.every((size, i) => size % 64 === 0 && (i === 0 || size > sizes[i - 1]!)));
});

test('a curve has a time for every size and repetition, and stops when asked', async () => {
  let stop = false;
  const seen: number[] = [];
  const around = {
    now: () => performance.now(),
    chains,
    breathe: () => Promise.resolve(),
    cancelled: () => stop,
    onProgress: (done: number) => void seen.push(done),
  };
  const chase = new CpuChase(around, 0.01);
  const curve = await chase.curve(true, 1 << 14);
  assert.ok(curve && curve.times.length >= 4 && curve.sizes.length === 17);
  assert.ok(
    curve.times
      .slice(0, 4)
      .flat()
      .every((ns) => ns > 0 && Number.isFinite(ns)),
    'every time is a time',
  );
  assert.deepEqual(
    seen.slice(0, 34),
    Array.from({ length: 34 }, (_, i) => i + 1),
  );
  const lines = await chase.line(1 << 16);
  assert.equal(lines?.votes.length, 5);
  stop = true;
  assert.equal(await chase.curve(true, 1 << 14), null);
});

test('a rising end is told from a flat one', () => {
  const flat = Array.from({ length: 40 }, () => 5);
  assert.ok(!rising([flat, flat]));
  assert.ok(rising([flat.map((ns, i) => (i < 38 ? ns : ns * 3)), flat.map((ns, i) => (i < 38 ? ns : ns * 4))]));
  assert.ok(!rising([flat.map((ns, i) => (i < 36 ? ns : ns * 1.2))]), 'memory wanders');
  assert.ok(!rising([flat.map((ns, i) => (i < 30 ? ns : ns * 9))]), 'what rose half an octave ago has risen');
  assert.ok(!rising([flat, flat.map((ns, i) => (i < 33 ? ns : ns * 4))]), 'load in one repetition is no rise');
});

test('sizes are walked again until their two least times agree', () => {
  assert.deepEqual(
    unsettled([
      [1, 2, 3],
      [1.05, 3, NaN],
      [9, 2.01, 3],
    ]),
    [],
  );
  assert.deepEqual(
    unsettled([
      [1, 2, 3],
      [1.2, 3, NaN],
      [9, 2.01, NaN],
    ]),
    [0, 2],
  );
});

test('pairs lie in the second cache', () => {
  assert.equal(
    pairBytes([
      [32_768, 0, 0],
      [1 << 20, 0, 0],
    ]),
    1 << 18,
  );
  assert.equal(pairBytes([[32_768, 0, 0]]), 1 << 18);
  assert.equal(
    pairBytes([
      [32_768, 0, 0],
      [131_072, 0, 0],
    ]),
    131_072,
    'never what the first cache holds',
  );
});
