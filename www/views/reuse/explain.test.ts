import assert from 'node:assert/strict';
import { test } from 'node:test';
import { r } from '../../content/reuse';
import type { ReuseResult, Points, Series } from '../../engine/reuse/protocol';
import { binRange, binRows, fullest, hitting, medianUpTo, ratioAt, reasons, seen, withinBounds } from './explain';

const curve: Points = [
  [1, 0.9],
  [10, 0.9],
  [11, 0.4],
  [100, 0.2],
];
const series = (log2_bins: number[], firsts: number): Series => ({
  key: 'all',
  name: '',
  accesses: log2_bins.reduce((a, b) => a + b, firsts),
  firsts,
  largest: null,
  log2_bins,
  miss_ratio_curve: [],
  knees: [],
});
const result = (curve_points: number, largest: number, ef: number): ReuseResult => ({
  engine: 'hp-rda',
  distinct: 1000,
  all: { ...series([1], 0), largest },
  kernels: [],
  arrays: [],
  sample: null,
  bytes: 0,
  fingerprint: '',
  hp_rda: { st: 2048, nb: 64, ntb: 3, ef, adjusted: false },
  difference: { e_percent: 0.38, binned_points: 4.5, curve_points },
});

test('a curve is read at any size', () => {
  assert.deepEqual(
    [0, 1, 10, 10.5, 11, 1e9].map((n) => ratioAt(curve, n)),
    [1, 0.9, 0.9, 0.9, 0.4, 0.2],
  );
  assert.equal(ratioAt([], 5), 1);
});

test('half of what can be saved', () => {
  const [half, most] = [hitting(curve, 0.5), hitting(curve, 0.9)];
  assert.deepEqual([half?.lines, half?.share.toFixed(3)], [11, '0.750']);
  assert.match(
    r.summary.sentence(9, 5, half, half),
    /A cache of 11 lines hits 75\u202f% of .* can hit; a smaller one hits less than half of them\.$/,
  );
  assert.match(
    r.summary.sentence(9, 5, half, most),
    /hits 75\u202f% of the accesses that can hit, one of \d+ lines 100\u202f%\.$/,
  );
  assert.equal(hitting([], 0.5), null);
  assert.equal(hitting([[1, 1]], 0.5), null);
});

test('a sample says nothing of caches below 1/rate lines', () => {
  const sample = { rate: 0.1, sampled: 9, error_95: [] };
  assert.deepEqual(seen({ sample }, curve), curve.slice(1));
  assert.deepEqual(seen({ sample: null }, curve), curve);
  const first = hitting([[16, 0.1]], 0.5);
  assert.match(
    r.summary.sentence(9, 5, first, first, 16),
    /of 16 lines hits 100\u202f% of the accesses that can hit\.$/,
  );
});

test('bins begin at powers of two, and add up', () => {
  assert.deepEqual([0, 1, 2, 5].map(binRange), [
    [0, 0],
    [1, 1],
    [2, 3],
    [16, 31],
  ]);
  const rows = binRows(series([4, 0, 6], 10));
  assert.deepEqual(
    rows.map((row) => row.upTo),
    [0.2, 0.2, 0.5, 1],
  );
  assert.equal(fullest(rows), 'the first use');
  assert.equal(fullest(binRows(series([1, 2, 9], 3))), 'distances 2 to 3');
  assert.equal(medianUpTo(series([1, 2, 9], 3)), 3);
  assert.equal(medianUpTo(series([], 3)), null);
  assert.equal(medianUpTo(series([5, 1], 3)), 0);
});

test('the reasons follow from the numbers', () => {
  const text = reasons(result(17.5, 5000, 0.25), result(6.6, 999, 0.25), true, 24).join(' ');
  assert.match(text, /hands on its first uses/);
  assert.match(text, /in 4\.0 thread traces \(ef = 0\.2500\)/);
  assert.match(text, /from 17\.50 points to 6\.60 points/);
  assert.match(text, /24 bins: e = 0\.380/);
  assert.match(reasons(result(4.7, 5000, 0.5), result(4.7, 999, 0.5), null, 24).join(' '), /stays at 4\.70 points/);
  const worse = result(9, 999, 0.5);
  worse.difference!.e_percent = 0.4;
  assert.match(reasons(result(10, 5000, 0.5), worse, null, 24).join(' '), /e grows from 0\.380\s% to 0\.400\s%/);
  const exact = reasons(result(0, 999, 0.9), result(0, 999, 0.9), false, 24);
  assert.equal(exact.length, 1);
  assert.match(exact[0]!, /is exact here/);
  assert.deepEqual(reasons({ ...result(1, 1, 1), difference: null }, result(1, 1, 1), true, 24), []);
});

test('bounds are compared with the truth', () => {
  const [row] = withinBounds(
    [[16, 0.05]],
    [
      [1, 0.9],
      [16, 0.42],
    ],
    curve,
  );
  assert.deepEqual([row!.estimate, row!.exact, row!.bound], [0.42, 0.4, 0.05]);
  assert.ok(Math.abs(row!.off - 0.02) < 1e-12);
});
