import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { LESSONS } from './gallery';

test('each kernel of the library has one lesson and one picture', () => {
  const patterns = JSON.parse(readFileSync('www/content/patterns.json', 'utf8')) as Record<string, string[]>;
  const taught = LESSONS.flatMap(({ kernels }) => kernels).sort();
  assert.deepEqual(taught, Object.keys(patterns).sort());
  assert.ok(Object.values(patterns).every((rows) => rows.length > 0 && rows.every((row) => row.length === 32)));
});
