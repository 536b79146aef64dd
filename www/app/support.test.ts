import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingFeature } from './support';

test('a browser with SIMD is let in', () => assert.equal(missingFeature(), null));

test('a browser without SIMD is told which versions have it', () => {
  assert.match(missingFeature({ validate: () => false }) ?? '', /Safari 16\.4/);
});

test('a browser without WebAssembly is told so', () => {
  // Passing undefined would mean the default, so the global itself goes away for a moment.
  const own = globalThis.WebAssembly;
  try {
    Reflect.deleteProperty(globalThis, 'WebAssembly');
    assert.match(missingFeature() ?? '', /switched off/);
  } finally {
    globalThis.WebAssembly = own;
  }
});
