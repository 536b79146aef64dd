import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stretches } from './stretches';

test('every number is taken once, also when a taker loses one', () => {
  for (const total of [0, 1, 7, 48, 729, 5000]) {
    const list = new Stretches(total);
    const seen: number[] = [];
    let lost = false;
    for (let stretch = list.take(); stretch; stretch = list.take()) {
      if (!lost && stretch.from > 0) {
        lost = true;
        const before = list.left;
        list.giveBack(stretch);
        assert.equal(list.left, before + stretch.to - stretch.from);
        continue;
      }
      for (let n = stretch.from; n < stretch.to; n++) seen.push(n);
    }
    assert.deepEqual(
      seen,
      Array.from({ length: total }, (_, i) => i),
    );
    assert.equal(list.left, 0);
  }
});
