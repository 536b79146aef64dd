import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distanceRows, shareBelow, waysOf } from './distances';

test('distances are ordered as numbers, first uses last', () => {
  const rows = distanceRows({ '10': 2, '9': 1, inf: 5, '0': 2 });
  assert.deepEqual(
    rows.map((r) => r.distance),
    [0, 9, 10, Infinity],
  );
  assert.equal(rows.at(-1)?.upTo, 1);
});

test('a request hits when its distance is below the ways', () => {
  const rows = distanceRows({ '3': 1, '4': 1, inf: 2 });
  assert.equal(shareBelow(rows, 4), 0.25);
});

test('an empty histogram has no rows', () => assert.deepEqual(distanceRows({}), []));

test('ways are read only when the engine tells them', () => {
  assert.equal(waysOf({ 'l1.ways': '4' }), 4);
  assert.equal(waysOf({}), null);
});
