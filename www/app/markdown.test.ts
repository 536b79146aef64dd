import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { citation, markdown, VERSION } from './markdown';

const shared = {
  sentence: 'Takes 1 ms',
  of: 'a_kernel on a GPU',
  facts: [['Loads', '3']],
  figure: { label: 'a | b', address: 'data:image/svg+xml;base64,AA' },
  rows: [
    ['core', 'misses'],
    ['a[0]', '1'],
    ['<img src=x>', '2'],
  ],
  all: 2,
  link: 'https://host/#v=1',
};

test('a result as Markdown has its sentence, numbers, figure and link', () => {
  const parts = markdown(shared).trimEnd().split('\n\n');
  assert.deepEqual(parts, [
    '**Takes 1 ms**',
    'a\\_kernel on a GPU',
    '| Number | Value |\n| --- | --- |\n| Loads | 3 |',
    '![a \\| b](data:image/svg+xml;base64,AA)',
    '| core | misses |\n| --- | --- |\n| a\\[0\\] | 1 |\n| \\<img src=x\\> | 2 |',
    '[Open this result in Warpscope](https://host/#v=1)',
  ]);
});

test('what is not there is left out, long tables are cut, a missing link is said', () => {
  const rows = [['n'], ...Array.from({ length: 30 }, (_, i) => [String(i)])];
  const text = markdown({ ...shared, of: '', facts: [], figure: null, rows, link: null });
  assert.match(text, /^\*\*Takes 1 ms\*\*\n\n\| n \|/);
  assert.match(text, /\| 23 \|\n\n6 more rows are on the page/);
  // Rows that the page has not drawn count too.
  assert.match(markdown({ ...shared, all: 9 }), /\| 2 \|\n\n7 more rows are on the page/);
  assert.doesNotMatch(text, /Number|!\[/);
  assert.match(text, /too long for a link/);
});

test('the citation, CITATION.cff and the crates name one version', () => {
  const cff = readFileSync('CITATION.cff', 'utf8');
  assert.match(cff, new RegExp(`^version: ${VERSION}$`, 'm'));
  assert.match(readFileSync('Cargo.toml', 'utf8'), new RegExp(`^version = "${VERSION}"$`, 'm'));
  const text = citation('https://host/#v=1', new Date('2026-02-03T04:05:06Z'));
  assert.match(text, /Version \d.*https:\/\/host\/#v=1 \(opened on 2026-02-03\)/);
  assert.ok(cff.includes('Warpscope: a zero-install lab for the GPU memory hierarchy'));
});
