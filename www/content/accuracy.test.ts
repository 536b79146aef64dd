import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeError } from './accuracy';

test('a GPU that nobody measured says so, and so does one with changed values', () => {
  const plain = (text: string) => text.replaceAll('\u202f', ' ');
  assert.equal(plain(timeError('rtx3080', false)), 'mean error here 16 %');
  assert.match(timeError('rtx3060', false), /unknown/);
  assert.match(timeError('rtx3080', true), /unknown/);
});
