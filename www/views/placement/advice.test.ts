import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Memory, PlaceLine } from '../../engine/placement/types';
import { adviceOf } from './advice';

const line = (placement: Memory[], us: number, tie = false): PlaceLine => ({
  placement,
  cycles: us * 1000,
  microseconds: us,
  machine_microseconds: us,
  machine_cycles: us * 1000,
  machine_issuing: us * 100,
  t_comp: 0,
  t_mem: 0,
  t_overlap: 0,
  tie,
  chance: null,
});
const now = line(['global', 'global'], 7, true);
const shared = line(['shared', 'global'], 6, true);
const both = line(['shared', 'shared'], 5, true);

test('where the present placement ties with a faster one, the model cannot tell, and the arrays stay', () => {
  const found = adviceOf([both, shared, now], now);
  assert.deepEqual([found?.say, found?.best, found?.first, found?.ties.length], ['tie', now, both, 3]);
});

test('of those that tie, the one that moves the fewest arrays is the answer', () => {
  const slow = line(['global', 'global'], 20);
  const found = adviceOf([both, shared, slow], slow);
  assert.deepEqual([found?.say, found?.best, found?.ties], ['move', shared, [both, shared]]);
});

test('an answer that nothing ties with has no ties, not even with itself', () => {
  const alone = line(['shared', 'shared'], 5, true);
  assert.deepEqual(adviceOf([alone, line(['global', 'global'], 7)], now)?.ties, []);
  const first = line(['global', 'global'], 4, true);
  assert.deepEqual([adviceOf([first], now)?.say, adviceOf([first], now)?.ties], ['stay', []]);
  assert.equal(adviceOf([], now), null);
});
