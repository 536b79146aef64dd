import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextBudget, STEP_MS } from './pace';

test('a step that took too long shrinks the next one', () => {
  assert.equal(nextBudget(1000, STEP_MS * 2), 500);
});

test('a step of no measurable time grows the next one, but not without bound', () => {
  assert.equal(nextBudget(1000, 0), 4000);
});

test('there is always some work to do', () => assert.equal(nextBudget(1, 10_000), 1));
