// The errors of times that page and terminal know are those of docs/accuracy.md.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { timeErrors } from '../tables/time-errors.mjs';

const read = (file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test('page and terminal have the errors of the tables', () =>
  assert.deepEqual(
    JSON.parse(read('crates/lab/src/cache_tab/time_errors.json')),
    timeErrors(read('docs/accuracy.md')),
  ));

test('rows of times and cycles are weighted by their launches', () => {
  const rows = [
    '| a | time, µs | 3 | 10.00 % | 1 % |',
    '| b | L2 reads | 9 | 90.00 % | 1 % |',
    '| a | cycles | 1 | 30.00 % | 1 % |',
  ];
  assert.deepEqual(timeErrors(rows.join('\n')), { a: { launches: 4, error: 0.15 } });
});
