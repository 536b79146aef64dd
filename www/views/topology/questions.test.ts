import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Discovered } from '../../engine/topology/types';
import { questionsOf, truthOf, verdictOf } from './questions';

const cache = (usable: number, shared_with: string[] = []) => ({
  size: usable,
  usable,
  line_size: 64,
  fetch_granularity: 32,
  ways: 4,
  replacement: 'lru',
  latency: 44,
  amount: 2,
  shared_with,
});
const hidden = (global_in_l1: boolean) =>
  ({
    truth: {
      global_in_l1,
      caches: { l1: cache(12_288, ['texture']), texture: cache(12_288, ['l1']), l2: cache(1_572_864) },
    },
  }) as unknown as Discovered;

test('a GPU is asked about its own first cache and its L2', () => {
  const asked = (global: boolean) => questionsOf(hidden(global)).map(({ memory, kind }) => `${memory} ${kind}`);
  const own = ['size', 'fetch_granularity', 'line_size', 'latency', 'amount'];
  assert.deepEqual(asked(true), [...own.map((kind) => `l1 ${kind}`), 'l1 shared', 'l2 size']);
  assert.deepEqual(asked(false), [...own.map((kind) => `texture ${kind}`), 'l2 size']);
  for (const question of questionsOf(hidden(true)))
    assert.ok(question.kind === 'shared' || truthOf(hidden(true), question) > 1);
});

test('an answer is right within the tolerance, and a wrong one says on which side it lies', () => {
  const [size, fetch] = questionsOf(hidden(true));
  assert.equal(verdictOf(size!, 12_352, 12_288, true), 'right');
  assert.equal(verdictOf(size!, 12_600, 12_288, false), 'right', 'within 3 %');
  assert.equal(verdictOf(size!, 11_584, 12_288, false), 'near');
  assert.equal(verdictOf(size!, 4096, 12_288, false), 'small');
  assert.equal(verdictOf(size!, 99_999, 12_288, false), 'large');
  assert.equal(verdictOf(fetch!, 33, 32, false), 'large', 'only sizes are read off a picture');
  const shared = { ...size!, kind: 'shared' as const };
  assert.equal(verdictOf(shared, 1, 1, false), 'right');
  assert.equal(verdictOf(shared, 0, 1, true), 'wrong');
});
