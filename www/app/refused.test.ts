import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Diagnostic } from '../engine/types';
import { errorOf } from './refused';

const error = (file: string, expected: string): Diagnostic => ({
  severity: 'error',
  file,
  line: null,
  expected,
  found: '`3`',
  help: '',
});

test('an error of the parameters belongs to each key that it names', () => {
  const list = [error('a.trc', 'ways: a number'), error('parameters', 'cache_bytes: a multiple of line_bytes × ways')];
  for (const key of ['cache_bytes', 'line_bytes', 'ways']) assert.equal(errorOf(key, list), list[1], key);
  assert.equal(errorOf('l1_ways', list), undefined);
  assert.equal(errorOf('bytes', list), undefined);
});

test('warnings refuse nothing, and errors of files are not those of parameters', () => {
  const warning = { ...error('parameters', 'ways: a number'), severity: 'warning' as const };
  assert.equal(errorOf('ways', [warning, error('ways.trc', 'ways: a number')]), undefined);
});
