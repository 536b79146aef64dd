import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { afterParts, showLater } from './parts';

/** Frames that were asked for, and what waits behind them. */
let frames: (() => void)[] = [];
globalThis.requestAnimationFrame = (paint) => frames.push(() => paint(0));
globalThis.requestIdleCallback = (idle) => (idle({ didTimeout: false, timeRemaining: () => 1 }), 0);
beforeEach(() => (frames = []));

/** Paints a frame and lets what waits for it run. */
async function frame() {
  for (const paint of frames.splice(0)) paint();
  await new Promise((done) => setTimeout(done, 2));
}

test('each part waits for a frame, in the order in which they came', async () => {
  const shown: string[] = [];
  for (const name of ['a', 'b', 'c']) showLater(() => shown.push(name));
  assert.deepEqual(shown, []);
  await frame();
  assert.deepEqual(shown, ['a']);
  await frame();
  assert.deepEqual(shown, ['a', 'b']);
  await frame();
  assert.deepEqual(shown, ['a', 'b', 'c']);
});

test('a part that is taken out is not shown, and the others are', async () => {
  const shown: string[] = [];
  showLater(() => shown.push('a'));
  const takeOut = showLater(() => shown.push('b'));
  showLater(() => shown.push('c'));
  takeOut();
  for (let i = 0; i < 3; i += 1) await frame();
  assert.deepEqual(shown, ['a', 'c']);
});

test('parts within parts are shown before the browser counts as idle', async () => {
  const seen: string[] = [];
  afterParts(() => seen.push('idle'));
  showLater(() => {
    seen.push('outer');
    showLater(() => seen.push('inner'));
  });
  for (let i = 0; i < 5; i += 1) await frame();
  assert.deepEqual(seen, ['outer', 'inner', 'idle']);
});

test('a hidden window, which paints nothing, shows them all the same', async () => {
  const shown: string[] = [];
  showLater(() => shown.push('a'));
  showLater(() => shown.push('b'));
  await new Promise((done) => setTimeout(done, 250));
  assert.deepEqual(shown, ['a', 'b']);
});
