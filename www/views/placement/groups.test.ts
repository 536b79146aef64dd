import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGroups } from './groups';

test('groups of bits as people type them', () => {
  assert.deepEqual(readGroups('12+20, 13 + 24'), [
    [12, 20],
    [13, 24],
  ]);
  assert.deepEqual(readGroups('5^6^7; 8 9'), [
    [5, 6, 7],
    [8, 9],
  ]);
  for (const text of ['', '12', 'x+y', '1+99', ',,']) assert.deepEqual(readGroups(text), [], text);
});
