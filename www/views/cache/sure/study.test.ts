import assert from 'node:assert/strict';
import test from 'node:test';
import type { Parameter, SweepRow } from '../../../engine/types';
import { effectOf, rangeOf, ranked, studied } from './study';

const parameter = (key: string, kind: Parameter['kind'], value: string) =>
  ({ key, label: key, kind, value, unit: '', choices: [], range: '', help: '', status: '', source: '' }) as Parameter;
const row = (rate: number | null) =>
  (rate === null
    ? { point: 1, values: [], model: '', measures: {}, fingerprint: '', error: 'no' }
    : { point: 1, values: [], model: 'paper', measures: { miss_rate: rate }, fingerprint: '' }) as SweepRow;

test('only numbers above nothing can be halved and doubled', () => {
  const list = [
    parameter('ways', 'integer', '4'),
    parameter('sigma', 'number', '2.5'),
    parameter('mshrs', 'integer', 'unlimited'),
    parameter('zero', 'integer', '0'),
    parameter('stores', 'choice', 'none'),
    parameter('cores', 'fact', '14'),
  ];
  assert.deepEqual(
    studied(list, {}).map((p) => p.key),
    ['ways', 'sigma'],
  );
  assert.deepEqual(
    studied(list, { mshrs: '32', ways: 'unlimited' }).map((p) => p.key),
    ['sigma', 'mshrs'],
  );
});

test('the range of seeds leaves out points that did not run', () => {
  assert.deepEqual(rangeOf([row(0.15), row(null), row(0.17), row(0.16)], 'miss_rate'), [0.15, 0.17]);
  assert.equal(rangeOf([row(null)], 'miss_rate'), null);
});

test('effects are ranked by their largest change', () => {
  const now = 0.2;
  const ways = effectOf(parameter('ways', 'integer', '4'), '4', [row(0.32), row(0.19)], 'miss_rate', now);
  const mshrs = effectOf(parameter('mshrs', 'integer', '64'), '64', [row(0.1), row(0.46)], 'miss_rate', now);
  const none = effectOf(parameter('sigma', 'integer', '5'), '5', [row(0.2), row(0.2)], 'miss_rate', now);
  const half = effectOf(parameter('line_bytes', 'integer', '32'), '32', [row(null), row(0.1)], 'miss_rate', now);
  assert.deepEqual(
    ranked([none, ways, half, mshrs]).map((e) => e.key),
    ['mshrs', 'ways', 'line_bytes'],
  );
  const slight = effectOf(parameter('queue', 'integer', '8'), '8', [row(0.2), row(0.20009)], 'miss_rate', now);
  assert.deepEqual(ranked([slight]), []);
  assert.ok(Math.abs(mshrs.change - 1.3) < 1e-12);
});
