import assert from 'node:assert/strict';
import { test } from 'node:test';
import { between, isWhole, type Mark, nearest, panned, sameMark, shareOfMark, vertical, WHOLE, zoomed } from './marks';

const mark = (left: number, top: number, right: number, bottom: number, name = ''): Mark => ({
  left,
  top,
  right,
  bottom,
  at: null,
  lines: [name],
});
/** Bars of one pixel, as a dense histogram has them, over the whole height. */
const bars = Array.from({ length: 500 }, (_, i) => mark(50 + i, 24, 51 + i, 200, `bar ${i}`));
/** Sets in rows of four. */
const cells = Array.from({ length: 12 }, (_, i) => {
  const [x, y] = [10 * (i % 4), 10 * Math.floor(i / 4)];
  return mark(x, y, x + 9, y + 9, `set ${i}`);
});

test('of dense bars the one at the pointer is read, at any height', () => {
  for (const y of [0, 24, 100, 260]) assert.equal(nearest(bars, 173.5, y), 123);
  assert.equal(nearest(bars, 0, 100), 0);
  assert.equal(nearest(bars, 900, 100), 499);
  assert.equal(nearest([], 1, 1), null);
});

test('of a mark within another the inner one is read', () => {
  assert.equal(nearest([mark(0, 0, 100, 100), mark(40, 40, 50, 50)], 45, 45), 1);
  assert.equal(nearest([mark(0, 0, 100, 100), mark(40, 40, 50, 50)], 30, 45), 0);
});

test('up and down move between rows and stop at the last', () => {
  assert.equal(vertical(cells, 1, 1), 5);
  assert.equal(vertical(cells, 5, 1), 9);
  assert.equal(vertical(cells, 9, 1), null);
  assert.equal(vertical(cells, 9, -1), 5);
  assert.equal(vertical(bars, 7, 1), null);
});

test('a zoom keeps its centre in place and never leaves the axis', () => {
  assert.deepEqual(zoomed(WHOLE, 0.5, 0.5), [0.25, 0.75]);
  assert.deepEqual(zoomed([0.25, 0.75], 0.5, 0), [0.25, 0.5]);
  assert.deepEqual(zoomed([0.5, 1], 2, 1), WHOLE);
  assert.deepEqual(zoomed([0.75, 1], 2, 0.5), [0.5, 1]);
  assert.ok(isWhole(zoomed([0.1, 0.2], 100, 0.3)));
  let range = WHOLE;
  for (let i = 0; i < 60; i += 1) range = zoomed(range, 0.5, 0.3);
  assert.ok(range[1] > range[0] && range[0] > 0.29 && range[1] < 0.31);
});

test('a pan stops at the ends, and a drag zooms to what it covers', () => {
  assert.deepEqual(panned([0.25, 0.5], 1), [0.5, 0.75]);
  assert.deepEqual(panned([0.25, 0.5], -9), [0, 0.25]);
  assert.deepEqual(panned(WHOLE, 0.5), WHOLE);
  assert.deepEqual(between([0.5, 1], 0.75, 0.25), [0.625, 0.875]);
});

test('after a zoom the same mark is read, or the one in its place', () => {
  assert.equal(sameMark(bars[10], bars.slice(5)), 5);
  assert.equal(sameMark(mark(60, 24, 61, 200, 'gone'), bars), 10);
  assert.equal(sameMark(undefined, bars), null);
});

test('a picture without an axis is zoomed around the mark that is read', () => {
  const grid = { width: 40, height: 30, marks: cells, axis: [0, 0] as [number, number] };
  assert.equal(shareOfMark(grid, 2), 2.5 / 12);
  assert.equal(shareOfMark(grid, null), 0.5);
  const chart = { width: 600, height: 260, marks: bars, axis: [50, 550] as [number, number] };
  assert.equal(shareOfMark(chart, 250), 0.501);
});
