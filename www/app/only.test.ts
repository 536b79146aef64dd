import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterOf, partOfMark, readOnly } from './only';

const engines = (text: string) => {
  const only = readOnly(text);
  return only && filterOf(only);
};

test('a link picks an array, a line, an instruction, a set, a core or distances', () => {
  assert.deepEqual(engines('array:0x7f00'), { array: '0x7f00' });
  assert.deepEqual(engines('array:'), { array: '' });
  assert.deepEqual(engines('line:12'), { line: 12 });
  assert.deepEqual(engines('pc:0x1a0'), { pc: '0x1a0' });
  assert.deepEqual(engines('set:31'), { set: 31 });
  assert.deepEqual(engines('core:14'), { core: 14 });
  assert.deepEqual(engines('distance:4'), { distances: [4, 4] });
  assert.deepEqual(engines('distance:8-15'), { distances: [8, 15] });
  assert.deepEqual(engines('distance:inf'), { distances: [0, null] });
});

test('what is no part picks nothing', () => {
  for (const text of [
    '',
    'set',
    'set:',
    'set:-1',
    'set:1.5',
    'core:-1',
    'line:x',
    'distance:1-2-3',
    'distance:a-b',
    'warp:3',
  ])
    assert.equal(readOnly(text), null, text);
  assert.equal(readOnly(undefined), null);
});

test('marks of charts are parts by their names', () => {
  assert.deepEqual(partOfMark('Set 12'), { part: 'set', value: '12' });
  assert.deepEqual(partOfMark('Core 3'), { part: 'core', value: '3' });
  assert.deepEqual(partOfMark('Distance 4–7'), { part: 'distance', value: '4-7' });
  assert.deepEqual(partOfMark('Distance 16\u202f384–32\u202f767'), { part: 'distance', value: '16384-32767' });
  assert.deepEqual(partOfMark('Distance ∞'), { part: 'distance', value: 'inf' });
  assert.equal(partOfMark('Sets 0 to 15'), null);
  assert.equal(partOfMark('From tick 3'), null);
});
