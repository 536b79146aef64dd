import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LaunchOutline } from '../../engine/scenario/cuda';
import { fractionIn, launchComment, severalOfHost, sizesOf, withLaunch } from './launch';

const launch = (more: Partial<LaunchOutline>): LaunchOutline => ({
  line: 2,
  last_line: 3,
  kernel: 'k',
  blocks: 'n / 32',
  threads: '32',
  shared: null,
  blocks_origin: '',
  threads_origin: '',
  items: [
    { name: 'x', declaration: 'float[n]', value: 'zero', origin: '' },
    { name: 'n', declaration: '', value: '64', origin: '' },
  ],
  ...more,
});

test('a launch comment is written from its pieces', () => {
  assert.deepEqual(launchComment(launch({})), ['// launch: k<<<n / 32, 32>>>(', '//     x: float[n] = zero, n = 64)']);
  assert.deepEqual(launchComment(launch({ items: [], shared: '128' })), ['// launch: k<<<n / 32, 32, 128>>>()']);
  const many = Array.from({ length: 12 }, (_, i) => ({
    name: `array${i}`,
    declaration: 'float[n * n]',
    value: `random(${i})`,
    origin: '',
  }));
  const lines = launchComment(launch({ items: many }));
  assert.ok(lines.length > 3 && lines.every((line) => line.startsWith('//') && line.length <= 101), lines.join('\n'));
});

test('it takes the place of the old one', () => {
  const text = 'a\n// launch: k<<<1, 32>>>(\n// n = 1)\nb';
  assert.equal(withLaunch(text, launch({}), launch({ items: [] })), 'a\n// launch: k<<<n / 32, 32>>>()\nb');
});

test('a guess is put above its kernel', () => {
  const guessed = launch({ line: 2, last_line: 1, items: [] });
  assert.equal(withLaunch('a\nb', guessed, guessed), 'a\n// launch: k<<<n / 32, 32>>>()\nb');
});

test('plain values are sizes, once', () => {
  assert.deepEqual(sizesOf([launch({}), launch({})]), [{ name: 'n', value: '64', origin: '' }]);
});

test('the origin says whether the host starts a kernel several times', () => {
  const one = launch({ blocks_origin: 'host line 88' });
  assert.equal(severalOfHost([one]), false);
  assert.equal(severalOfHost([one, launch({ blocks_origin: 'host line 9, launch 3 of 256 or more' })]), true);
});

test('a size of a grid or an array has no fraction; a factor may', () => {
  const factor = { name: 'alpha', declaration: '', value: '2', origin: '' };
  const launches = [launch({ items: [...launch({}).items, factor] })];
  assert.deepEqual(fractionIn({ n: '1.5' }, launches), ['n', '1.5']);
  assert.equal(fractionIn({ n: '64.0', alpha: '1.5' }, launches), null);
  assert.equal(fractionIn({ n: 'alpha * 1.5' }, launches), null);
});
