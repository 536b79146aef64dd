// Facts about the wasm file that the page ships.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { test } from 'node:test';
import engine, { bytes } from './engine.mjs';

test('the engine loads and names the version of package.json', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  assert.equal(engine.version(), version);
});

test("the file does not carry the builder's home directory", () => {
  assert.equal(bytes.includes(homedir()), false);
});
