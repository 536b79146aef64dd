// The self-check in the shipped module: every row gives what the terminal gives, and a row is left between two steps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import engine, { until } from './engine.mjs';
import { native } from '../native.mjs';

test('all rows, their JSON and their CSV are the terminal’s', () => {
  const check = new engine.PaperCheck();
  const rows = check.list().map(({ id }) => {
    check.start(id);
    return until((budget) => check.step(budget), 'outcome').outcome;
  });
  assert.equal(`${check.json(rows)}\n`, native('check', '--format', 'json'));
  const some = rows.filter((row) => row.id.startsWith('hpca14.table'));
  assert.equal(check.csv(some), native('check', '--only', 'hpca14.table', '--format', 'csv'));
  const { totals } = check.report(rows);
  assert.equal(totals.unexpected, 0);
  assert.ok(totals.red > 0 && totals.exact > totals.red);
  check.start(rows[0].id);
  check.start(rows[3].id);
  assert.equal(check.step(1).outcome.id, rows[3].id);
  assert.throws(
    () => check.start('no such row'),
    (error) => error.diagnostics[0].expected.includes('a row'),
  );
});
