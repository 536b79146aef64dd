import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineLost, isWanted } from './lost';

test('only a worker that was ended on purpose is no fault', () => {
  assert.equal(isWanted(new EngineLost(true, 'the worker was stopped')), true);
  assert.equal(isWanted(new EngineLost(false, 'RuntimeError: unreachable')), false);
  assert.equal(isWanted(new Error('the worker was stopped')), false);
});
