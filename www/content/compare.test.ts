import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signedBy } from './compare';
import { count, percent1 } from './format';

test('a difference has its sign, and rates differ by points', () => {
  assert.equal(signedBy(-1200, count), '−1\u202f200');
  assert.equal(signedBy(7, count), '+7');
  assert.equal(signedBy(0, count), '±0');
  assert.equal(signedBy(-0.125, percent1), '−12.5 points');
});
