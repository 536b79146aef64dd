import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withFile, type KeptFile } from './budget';

const file = (sha256: string, size: number, used: number): KeptFile => ({ sha256, size, used });
const names = (files: KeptFile[]) => files.map((f) => f.sha256);

test('files go oldest first until the rest fits', () => {
  const kept = [file('old', 40, 1), file('new', 50, 3), file('middle', 30, 2)];
  const { stays, goes } = withFile(kept, file('added', 20, 4), 100);
  assert.deepEqual(names(stays), ['added', 'new', 'middle']);
  assert.deepEqual(names(goes), ['old']);
});

test('a small old file does not outlive a larger one in use', () => {
  const { stays, goes } = withFile([file('small', 1, 1), file('large', 90, 2)], file('added', 20, 3), 100);
  assert.deepEqual(names(stays), ['added']);
  assert.deepEqual(names(goes), ['large', 'small']);
});

test('a file that is opened again counts once and becomes the newest', () => {
  const { stays, goes } = withFile([file('a', 60, 1), file('b', 40, 2)], file('a', 60, 3), 100);
  assert.deepEqual(names(stays), ['a', 'b']);
  assert.deepEqual(goes, []);
  assert.equal(stays[0]!.used, 3);
});
