import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST, nextBudget, STEP_MS } from './pace';

test('a step that took too long shrinks the next one', () => {
  assert.equal(nextBudget(1000, STEP_MS * 2), 500);
});

test('a step of no measurable time grows the next one, but not without bound', () => {
  assert.equal(nextBudget(1000, 0), 4000);
});

test('there is always some work to do', () => assert.equal(nextBudget(1, 10_000), 1));

test("many steps of no measurable time do not outgrow the engine's 32 bits", () => {
  let budget = 20_000;
  for (let i = 0; i < 40; i++) budget = nextBudget(budget, 0);
  assert.equal(budget, MOST);
  assert.equal(budget >>> 0, budget);
});
