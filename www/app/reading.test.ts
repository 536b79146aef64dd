import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Source } from '../engine/protocol';
import type { FileId, FileInfo } from '../engine/types';
import { asLinked, chosenFormat, joined, undecided, withFormat } from './reading';

const source = (...names: string[]): Source => ({ example: null, files: names.map((name) => new File([], name)) });
const id = (name: string, sha256: string, format: string | null = null): FileId => ({ name, size: 1, sha256, format });

test('a choice is made, changed and taken back', () => {
  const chosen = withFormat(source('a', 'b'), 1, 'csv');
  assert.deepEqual([chosenFormat(chosen, 0), chosenFormat(chosen, 1)], [null, 'csv']);
  assert.equal(chosenFormat(withFormat(chosen, 1, 'din'), 1), 'din');
  assert.deepEqual(withFormat(chosen, 1, null).reading, {});
  const linked: Source = { ...source('a'), reading: { 0: { name: 'b', format: 'csv' } } };
  assert.deepEqual(withFormat(linked, 0, null).reading, { 0: { name: 'b', format: null } }, 'the name stays');
});

test('only a tie that nobody has settled is asked about', () => {
  const file = (candidates: string[]) => ({ candidates }) as FileInfo;
  const files = [file(['trc', 'csv']), file([]), file(['din', 'csv'])];
  assert.deepEqual(undecided(files, source('a', 'b', 'c')), [0, 2]);
  assert.deepEqual(undecided(files, withFormat(source('a', 'b', 'c'), 0, 'trc')), [2]);
});

test('files are read as a link needs it, and only again when that differs', () => {
  const one = source('x.csv');
  assert.equal(asLinked(one, [id('a', 's')], [id('x.csv', 's')]), null, 'one file, known by its content');
  assert.deepEqual(asLinked(one, [id('a', 's')], [id('x.csv', 's', 'csv')])?.reading, {
    0: { name: 'a', format: null },
  });
  assert.deepEqual(asLinked(one, [id('a', 's', 'csv')], [id('x', 's')])?.reading, { 0: { name: 'a', format: 'csv' } });
  const two = source('2', '1');
  assert.deepEqual(asLinked(two, [id('a', 's'), id('1', 't')], [id('2', 's'), id('1', 't')])?.reading, {
    0: { name: 'a', format: null },
  });
  assert.equal(asLinked(two, [id('2', 's'), id('1', 't')], [id('2', 's'), id('1', 't')]), null);
  assert.equal(asLinked(one, [id('a', 'other', 'csv')], [id('x', 's')]), null, 'not the file that the link names');
});

test('files that join keep their choices', () => {
  const all = joined(withFormat(source('a'), 0, 'trc'), withFormat(source('b', 'c'), 1, 'json'));
  assert.deepEqual([chosenFormat(all, 0), chosenFormat(all, 1), chosenFormat(all, 2)], ['trc', null, 'json']);
});

test('a GPU that joins an example is read beside it', () => {
  const gpu = new File(['{}'], 'gpu.json');
  const both = joined({ example: 'stencil', files: [] }, { example: null, files: [gpu] });
  assert.deepEqual([both.example, both.files], ['stencil', [gpu]]);
});
