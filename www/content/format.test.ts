import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bytes, count, dimensions, percent, percent1, share, shortName, signed } from './format';

const plain = (text: string) => text.replaceAll('\u202f', ' ');

test('counts are grouped by thousands', () => {
  assert.equal(plain(count(245459)), '245 459');
  assert.equal(plain(signed(-1200)), '−1 200');
});

test('percentages keep the digits that matter and never round something to nothing', () => {
  const cases: [number, string][] = [
    [0, '0 %'],
    [0.0004, '< 0.1 %'],
    [-0.0004, '> −0.1 %'],
    [0.0312, '3.1 %'],
    [0.6132, '61 %'],
    [0.125, '13 %'],
    [0.01, '1 %'],
    [0.9996, '99.9 %'],
    [1, '100 %'],
  ];
  for (const [value, expected] of cases) assert.equal(plain(percent(value)), expected);
  const columns: [number, string][] = [
    [0, '0.0 %'],
    [0.0004, '< 0.1 %'],
    [0.0008, '0.1 %'],
    [0.6132, '61.3 %'],
    [0.9997, '99.9 %'],
    [1, '100.0 %'],
    [-0.02, '−2.0 %'],
  ];
  for (const [value, expected] of columns) assert.equal(plain(percent1(value)), expected);
  assert.equal(percent(Number.NaN), '–');
});

test('sizes carry a binary unit', () => {
  assert.equal(plain(bytes(16384)), '16 KiB');
  assert.equal(plain(bytes(1536)), '1.5 KiB');
  assert.equal(plain(bytes(12)), '12 bytes');
  // As in pictures: a tenth, where there is one.
  assert.equal(plain(bytes(394752)), '385.5 KiB');
  assert.equal(plain(bytes(33024)), '32.3 KiB');
  assert.equal(plain(bytes(102410)), '100 KiB');
});

test('dimensions drop what is 1', () => {
  assert.equal(dimensions([128, 1, 1]), '128');
  assert.equal(dimensions([32, 8, 1]), '32 × 8');
  assert.equal(dimensions([1, 1, 1]), '1');
});

test('a share of nothing is nothing', () => assert.equal(share(3, 0), 0));

test('kernel names lose return type, parameters and what a compiler has mangled, as at the terminal', () => {
  const text = readFileSync('tests/data/kernel-names.tsv', 'utf8');
  const cases = text.trimEnd().split('\n');
  assert.ok(cases.length > 10);
  for (const line of cases) {
    const [name = '', short] = line.split('\t');
    assert.equal(shortName(name), short);
  }
});
