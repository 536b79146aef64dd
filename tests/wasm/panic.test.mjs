// What a panic of the engine tells. It has its own process, because the module must not be called after it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import engine from './engine.mjs';

/** Its part is shorter than what was asked for, which no real array does. Copying it panics. */
class ShortPart extends Uint8Array {
  subarray() {
    return new Uint8Array(1);
  }
}

test('a panic is an exception with its line and message', async () => {
  const chunks = new ReadableStream({ start: (control) => control.enqueue(new ShortPart(8)) });
  const stream = new engine.FileStream({ stream: () => chunks });
  await stream.next();
  assert.throws(
    () => new engine.Hasher().take(stream),
    /panicked at \S+\.rs:\d+:\d+:\nassertion `left == right` failed/,
  );
});
