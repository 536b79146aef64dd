import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallestBelow } from './smallest';

/** Accesses by distance, and how many are the first of their line. */
const COUNTS = Array.from({ length: 20_000 }, (_, distance) => (distance * 7919) % 13);
const FIRSTS = 500;
const accesses = COUNTS.reduce((sum, n) => sum + n, FIRSTS);
const ratioOf = (lines: number) => (FIRSTS + COUNTS.slice(lines).reduce((sum, n) => sum + n, 0)) / accesses;
const points = [1, 2, 3, 100, 9000, 20_000].map((lines): [number, number] => [lines, ratioOf(lines)]);

/** As the engine gives bars. */
const windowOf = (most: number) => async (from: number, to: number) => {
  const width = Math.ceil((to - from + 1) / most);
  return Array.from({ length: Math.ceil((to - from + 1) / width) }, (_, i) => {
    const [low, high] = [from + i * width, Math.min(to, from + (i + 1) * width - 1)];
    return { low, high, count: COUNTS.slice(low, high + 1).reduce((sum, n) => sum + n, 0) };
  });
};

test('the smallest cache below a miss ratio is exact between the points of the curve', async () => {
  for (const limit of [0.9999, 0.97, 0.6, 0.5, 0.3, 0.05])
    for (const most of [4, 4096]) {
      const found = await smallestBelow({ miss_ratio_curve: points, accesses }, limit, windowOf(most));
      assert.ok(found.enough, `${limit}`);
      const [lines, ratio] = found.size;
      assert.ok(Math.abs(ratio - ratioOf(lines)) < 1e-9, `${limit}: ${ratio} at ${lines} lines`);
      assert.ok(ratioOf(lines) <= limit && ratioOf(lines - 1) > limit, `${limit}: ${lines} lines`);
    }
});

test('a ratio below the least has no size, and the smallest cache with the least is told', async () => {
  const series = { miss_ratio_curve: points, accesses };
  for (const most of [4, 64]) {
    const { size, enough } = await smallestBelow(series, 0.0001, windowOf(most));
    assert.equal(enough, false);
    // The last distances have no access, so that fewer lines do as well.
    assert.ok(size[0] <= 20_000 && ratioOf(size[0]) === ratioOf(20_000) && ratioOf(size[0] - 1) > ratioOf(20_000));
    assert.ok(Math.abs(size[1] - FIRSTS / accesses) < 1e-9);
  }
});

test('a ratio above that of the smallest cache has that one', async () => {
  const series = { miss_ratio_curve: points, accesses };
  assert.deepEqual(await smallestBelow(series, 1, windowOf(64)), { size: points[0], enough: true });
});
