import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cancels } from './cancels';

test('a cancel ends the jobs that have begun, and no later one', () => {
  const cancels = new Cancels();
  const [first, second] = [cancels.begin(), cancels.begin()];
  assert.deepEqual([first(), second()], [false, false]);
  cancels.cancel();
  assert.deepEqual([first(), second(), cancels.begin()()], [true, true, false]);
});

test('a job that was cancelled stays so while the next one runs', () => {
  const cancels = new Cancels();
  const slow = cancels.begin();
  cancels.cancel();
  const next = cancels.begin();
  assert.deepEqual([slow(), next()], [true, false]);
  cancels.cancel();
  assert.deepEqual([slow(), next()], [true, true]);
});
