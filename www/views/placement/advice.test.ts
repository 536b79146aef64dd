import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Memory, PlaceLine, PlaceRanking } from '../../engine/placement/types';
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
const ranking = (lines: PlaceLine[], recommended: number | null = 0): PlaceRanking => ({
  legal: lines.length,
  evaluated: lines.length,
  gap: 0,
  lines,
  recommended,
});
const now = line(['global', 'global'], 7, true);
const shared = line(['shared', 'global'], 6, true);
const both = line(['shared', 'shared'], 5, true);

test('where the present placement ties with a faster one, the model cannot tell, and the arrays stay', () => {
  const found = adviceOf(ranking([both, shared, now], 2), now);
  assert.deepEqual([found?.say, found?.best, found?.first, found?.ties.length], ['tie', now, both, 3]);
});

test('the engine names the answer among those that tie', () => {
  const slow = line(['global', 'global'], 20);
  const found = adviceOf(ranking([both, shared, slow], 1), slow);
  assert.deepEqual([found?.say, found?.best, found?.ties], ['move', shared, [both, shared]]);
});

test('an answer that nothing ties with has no ties, not even with itself', () => {
  const alone = line(['shared', 'shared'], 5, true);
  assert.deepEqual(adviceOf(ranking([alone, line(['global', 'global'], 7)]), now)?.ties, []);
  const first = line(['global', 'global'], 4, true);
  assert.deepEqual([adviceOf(ranking([first]), now)?.say, adviceOf(ranking([first]), now)?.ties], ['stay', []]);
  assert.equal(adviceOf(ranking([], null), now), null);
});
