import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Measurement } from '../../engine/topology/types';
import type { Diagnostic } from '../../engine/types';
import { byRule, finer, messagesOf, withPlace } from './pure';

test('a place of the JSON is set, taken out, and a cache without values goes', () => {
  const json = { name: 'G', l1: { ways: { value: 4 } }, l2: { bytes: { value: 9 } } };
  assert.deepEqual(withPlace(json, 'l1.ways', { value: 8 }), { ...json, l1: { ways: { value: 8 } } });
  assert.deepEqual(withPlace(json, 'l2.bytes', undefined), { name: 'G', l1: json.l1 });
  assert.deepEqual(withPlace(json, 'l1.ways', undefined).l1, {}, 'the L1 stays, for the validator to miss its values');
  assert.deepEqual(withPlace(json, 'cores', { value: 2 }).cores, { value: 2 });
  assert.deepEqual(withPlace(json, 'texture.bytes', { value: 2 }).texture, { bytes: { value: 2 } });
});

test('messages are found by the field that they name', () => {
  const said = (expected: string): Diagnostic => ({
    severity: 'error',
    file: 'x',
    line: null,
    expected,
    found: '',
    help: '',
  });
  const list = [
    said('`l1.bytes`: a multiple of the line, 128'),
    said('`l1.bytes.source`: who'),
    said('`l1.ways`: a divisor'),
  ];
  assert.equal(messagesOf(list, 'l1.bytes').length, 2);
  assert.equal(messagesOf(list, 'l1.byte').length, 0);
});

test('the rules stand side by side', () => {
  const row = (rule: Measurement['rule'], memory: string, value: number | null, file = 'f') => ({
    file,
    memory,
    kind: 'size',
    rule,
    value,
    unit: 'bytes',
    interval: null,
    ks_d: null,
    p: null,
    estimators: {},
  });
  const rows = byRule([
    row('mt4g', 'l1', 10),
    row('warpscope', 'l1', 9),
    row('mt4g', 'l2', 5),
    row('reported', 'l1', 10),
  ]);
  assert.equal(rows.length, 2);
  assert.deepEqual([rows[0]?.reported?.value, rows[0]?.mt4g?.value, rows[0]?.ours?.value], [10, 10, 9]);
  assert.deepEqual([rows[1]?.reported, rows[1]?.ours], [null, null]);
  // Levels of two curves are not one memory.
  const curves = byRule([
    row('thesis', 'level_1', 10, 'd/a.txt'),
    row('warpscope', 'level_1', 9, 'd/a.txt'),
    row('thesis', 'level_1', 7, 'd/b.txt'),
  ]);
  assert.deepEqual(
    curves.map((r) => [r.file, r.thesis?.value, r.ours?.value]),
    [
      ['a.txt', 10, 9],
      ['b.txt', 7, undefined],
    ],
  );
});

test('a coarse sweep is followed by a finer one around its interval, a fine one by none', () => {
  const coarse = { memory: 'l1', sizes: [8192, 11584, 13760, 16384], change: 11584, interval: [11584, 13760] };
  const curve = (more: object) => ({ ...coarse, ...more }) as Parameters<typeof finer>[0];
  const next = finer(curve({}));
  assert.deepEqual(next, { kind: 'sizes', memory: 'l1', from: 11584 - 512, to: 13760 + 512, step: 64 });
  const fine = { sizes: [12224, 12288, 12352], change: 12288, interval: [12288, 12352] };
  assert.equal(finer(curve(fine)), null);
  // 1 MiB in steps of 64 bytes would be 16,384 arrays.
  const large = finer(curve({ sizes: [2 ** 21, 3 * 2 ** 20], change: 2 ** 21, interval: [2 ** 21, 3 * 2 ** 20] }));
  assert.equal(large?.step, 8192);
  assert.equal(finer(curve({ change: null, interval: null })), null);
});
