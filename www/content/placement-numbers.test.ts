import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withNumbers } from './placement-numbers';

test('large counts of a reason stand in groups; names and shares stay', () => {
  const thin = '\u202f';
  assert.equal(
    withNumbers('A12345 saves 10.0 %: DRAM 285390 → 31178 (Tmem -12345 cycles, row 1234)'),
    `A12345 saves 10.0 %: DRAM 285${thin}390 → 31${thin}178 (Tmem −12${thin}345 cycles, row 1234)`,
  );
});
