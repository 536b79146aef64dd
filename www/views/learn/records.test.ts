import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handInOf, readRecords, withRecord } from './records';

test('a record changes, becomes the newest, and keeps what did not change', () => {
  const first = withRecord(withRecord([], 'a', 1, { tries: 1 }), 'b', 1, { tries: 1 });
  const then = withRecord(first, 'a', 1, { hints: 2 });
  assert.deepEqual(
    then.map(({ exercise, tries, hints }) => [exercise, tries, hints]),
    [
      ['b', 1, 0],
      ['a', 1, 2],
    ],
  );
  assert.equal(withRecord(then, 'a', 2, {}).length, 3, 'another seed is another record');
});

test('whatever is in the storage is read without trouble', () => {
  for (const text of [null, '', '{', '{}', '7', '[null, 3, {"exercise": "a"}]'])
    assert.deepEqual(readRecords(text), []);
  const kept = withRecord([], 'a', 1, { given: { text: '3' } });
  assert.deepEqual(readRecords(JSON.stringify(kept)), kept);
  const [record] = kept;
  for (const given of [{}, 3, { text: 3 }, { choice: 5 }, { row: [1] }, { order: ['a'] }, { constructor: [] }])
    assert.deepEqual(readRecords(JSON.stringify([{ ...record, given }])), [], JSON.stringify(given));
});

test('a hand-in has the answers that were checked', async () => {
  const list = withRecord(withRecord([], 'a', 1, { hints: 1 }), 'b', 2, {
    given: { text: '3' },
    digest: 'd',
    right: true,
  });
  const file = await handInOf(list, 'Ada', (name, digest) => Promise.resolve(`${name}-${digest}`));
  assert.deepEqual(file.answers, [
    { exercise: 'b', seed: 2, given: { text: '3' }, right: true, fingerprint: 'Ada-d', tries: 0, hints: 0 },
  ]);
});
