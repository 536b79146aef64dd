import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGroups } from './groups';

const KNOWN = [5, 6, 7, 8, 9, 12, 13, 20, 24];

test('groups of bits as people type them', () => {
  assert.deepEqual(readGroups('12+20, 13 + 24', KNOWN), [
    [12, 20],
    [13, 24],
  ]);
  assert.deepEqual(readGroups('5^6^7; 8 9', KNOWN), [
    [5, 6, 7],
    [8, 9],
  ]);
  for (const text of ['', ' ', ',,']) assert.deepEqual(readGroups(text, KNOWN), [], text);
});

test('what is no group of bits of the memory is refused, not left out', () => {
  for (const text of ['12', '12+', '12+12', 'x+y', '5+99', '12+20, 13'])
    assert.equal(readGroups(text, KNOWN), null, text);
});
