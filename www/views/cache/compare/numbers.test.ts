import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberName } from '../../../content/compare';
import table from '../../../engine/generated/compare.json';
import type { ComparedNumber } from '../../../engine/types';
import { compareKernels, moved } from './numbers';

const number = (key: string, more: Partial<ComparedNumber> = {}): ComparedNumber => ({
  key,
  path: key,
  over: null,
  factor: 1,
  unit: 'count',
  better: 'lower',
  scope: 'model',
  ...more,
});

const TABLE = [
  number('ticks', { scope: 'time' }),
  number('per_load', { path: 'work.requests', over: 'work.loads', unit: 'mean', scope: 'unit' }),
  number('bytes', { path: 'work.sectors', factor: 32, unit: 'bytes', scope: 'all' }),
  number('rate', { unit: 'share', better: 'neither' }),
];

const before = { ticks: 200, work: { requests: 300, loads: 100, sectors: 4 }, rate: 0.5 };
const now = { ticks: 150, work: { requests: 100, loads: 100, sectors: 5 }, rate: 0.25 };

test('differences, ratios and what is better are those written by hand', () => {
  const { rows, others } = compareKernels(TABLE, { model: 'paper', kernel: before }, { model: 'paper', kernel: now });
  assert.deepEqual(
    rows.map(({ number: n, before: a, now: b, difference, ratio, verdict }) => [
      n.key,
      a,
      b,
      difference,
      ratio,
      verdict,
    ]),
    [
      ['ticks', 200, 150, -50, 0.75, 'better'],
      ['per_load', 3, 1, -2, 1 / 3, 'better'],
      ['bytes', 128, 160, 32, 1.25, 'worse'],
      ['rate', 0.5, 0.25, -0.25, 0.5, ''],
    ],
  );
  assert.deepEqual(others, []);
});

test('a half and a double moved equally far, and what was nothing moved farthest', () => {
  const move = (ticks: number, after: number) => {
    const [base, shown] = [ticks, after].map((value) => ({ model: 'paper' as const, kernel: { ticks: value } }));
    return moved(compareKernels([number('ticks')], base!, shown!).rows[0]!);
  };
  assert.equal(move(4, 8), Math.LN2);
  assert.equal(move(8, 4), Math.LN2);
  assert.equal(move(3, 3), 0);
  assert.equal(move(0, 3), Infinity);
  assert.equal(move(3, 0), Infinity);
});

test('equal numbers are the same, and nothing has no ratio', () => {
  const nothing = { ...before, ticks: 0 };
  const { rows } = compareKernels(TABLE, { model: 'paper', kernel: nothing }, { model: 'paper', kernel: nothing });
  assert.equal(rows[0]?.ratio, null);
  assert.ok(rows.every(({ verdict }) => verdict === 'same'));
});

test('a change of less than half a percent is the same, and is shown', () => {
  const verdictOf = (ticks: number) => {
    const other = { ...before, ticks };
    const { rows } = compareKernels(TABLE, { model: 'paper', kernel: before }, { model: 'paper', kernel: other });
    return [rows[0]?.difference, rows[0]?.verdict];
  };
  assert.deepEqual(verdictOf(200.9), [0.9000000000000057, 'same']);
  assert.deepEqual(verdictOf(201.1), [1.0999999999999943, 'worse']);
});

test('a time within its error is unsure, and cycles say nothing of their own', () => {
  const times = [number('seconds', { scope: 'time' }), number('cycles', { scope: 'time' })];
  const verdicts = (told: { tells: boolean; sameClock: boolean }) => {
    const [base, shown] = [
      { model: 'gpu' as const, kernel: { seconds: 10, cycles: 100 } },
      { model: 'gpu' as const, kernel: { seconds: 9, cycles: 120 } },
    ];
    return compareKernels(times, base, shown, told).rows.map(({ verdict }) => verdict);
  };
  assert.deepEqual(verdicts({ tells: true, sameClock: true }), ['better', 'worse']);
  assert.deepEqual(verdicts({ tells: true, sameClock: false }), ['better', '']);
  assert.deepEqual(verdicts({ tells: false, sameClock: true }), ['unsure', 'unsure']);
});

test('of two models only what means the same is compared', () => {
  const keys = (a: 'paper' | 'reference' | 'gpu', b: 'paper' | 'reference' | 'gpu') =>
    compareKernels(TABLE, { model: a, kernel: before }, { model: b, kernel: now }).rows.map(({ number: n }) => n.key);
  assert.deepEqual(keys('paper', 'reference'), ['ticks', 'per_load', 'bytes']);
  assert.deepEqual(keys('paper', 'gpu'), ['bytes']);
  const { rows } = compareKernels(TABLE, { model: 'paper', kernel: before }, { model: 'gpu', kernel: now });
  assert.deepEqual([rows[0]?.difference, rows[0]?.verdict], [32, '']);
});

test('what one side lacks is not compared, and what both lack is not told', () => {
  const { rows, others } = compareKernels(
    TABLE,
    { model: 'gpu', kernel: { work: { sectors: 1 }, ticks: 3 } },
    { model: 'gpu', kernel: { work: { sectors: 1 } } },
  );
  assert.deepEqual(
    rows.map(({ number: n }) => n.key),
    ['bytes'],
  );
  assert.deepEqual(
    others.map(({ key }) => key),
    ['ticks'],
  );
});

test('every number of the table has a name of its own in every model', () => {
  for (const model of ['gpu', 'paper'] as const) {
    const names = table.map(({ key }) => numberName(key, model));
    assert.deepEqual(
      names.filter((name) => /_/.test(name)),
      [],
    );
    assert.equal(new Set(names).size, names.length, names.join());
  }
});
