import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { speaker } from '../content/say';
import { table } from '../content/zh/messages/table';
import { first } from './first';

const say = speaker({
  'the line was skipped': '已跳过此行',
  'lines of at most {} MiB': '最多 {} MiB 的行',
  '{} of {} kernels': '{2} 个中的 {1} 个',
  '{#} more': '另有 {} 条',
  'a (b) [c]': '括号',
  '{} misses of {} requests': '{2} 个请求中 {1} 个未命中',
  '{#} distinct lines, {} launches': '{} 行, {} 次',
  '{} bytes': '{} 字节',
});

test('a message is said by its key, with its values where the translation wants them', () => {
  assert.equal(say('the line was skipped'), '已跳过此行');
  assert.equal(say('lines of at most 1 MiB'), '最多 1 MiB 的行');
  assert.equal(say('3 of 7 kernels'), '7 个中的 3 个');
  assert.equal(say('a (b) [c]'), '括号');
});

test('one thing has no ending of a plural in English, and the same text in the table', () => {
  assert.equal(say('1 miss of 1 request'), '1 个请求中 1 个未命中');
  assert.equal(say('2 misses of 3 requests'), '3 个请求中 2 个未命中');
  assert.equal(say('1 distinct line, 1 launch'), '1 行, 1 次');
  assert.equal(say('1 byte'), '1 字节');
});

test('what is not in the table stays, and so does the rest of a text with a known part', () => {
  assert.equal(say('another sentence'), 'another sentence');
  assert.equal(say('toString'), 'toString');
  assert.equal(say('the line was skipped; look at it'), '已跳过此行；look at it');
  assert.equal(say('950 more'), '另有 950 条');
  assert.equal(say('the rest and more'), 'the rest and more');
});

const sources = readdirSync('crates', { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.rs') && /^[^/]+\/src\//.test(file))
  .map((file) => readFileSync(`crates/${file}`, 'utf8'));
/** All literals of the engine, with `{}` for each hole. */
const engine = sources
  .join('\n')
  .replace(/\\\n\s*/g, '')
  .replace(/\{\{/g, '{')
  .replace(/\}\}/g, '}');
/** `{s}` and `{es}` are endings of plurals: the table has the whole words. */
const holes = (text: string) => text.replace(/\{(e?s)\}/g, '$1').replace(/\{[\w:#.?+<>=]*\}/g, '{}');

/** What the engine, or a view, puts together of pieces. */
const COMPOSED = [
  '`{}` after the declaration',
  '`{}` after the expression',
  '`{}` after the statement',
  '`{}` after the condition',
  '`{}` after the index',
  '`{}` after the parameters',
  '`{}` after the type',
  '`{}` after the struct',
  '`{}` after the member',
  '`{}` after the function',
  '`{}` after the name',
  '`{}` after the names',
  '`{}` after the value',
  '`{}` after the initial values',
  '`{}` after the start of the loop',
  '`{}` after the condition of the loop',
  '`{}` after the step of the loop',
  '`{}` after the template arguments',
  "`{}` after the array's size",
  '`{}` before the parameters',
  '`{}` before the type',
  '`{}` before the members',
  '`{}` before the template arguments',
  '`{}` after `{}`',
  '`{}` at the start of the block',
  'add `{}`',
  '{} in column {#}',
  'thread {} of block {} reads {}',
  'thread {} of block {} writes {}',
  'thread {} of block {} updates {}',
  'no {}',
  'include of {} (line {#})',
  'include of {} (line {#}), {}',
  '{} of the host (line {#})',
  '{} of the host (line {#}), {}',
  'the file: {}',
  '{}: a whole number from {} to {}',
  '{}, busy {}',
  'Load {#} %',
  'simulated: {}',
  'as printed: {}',
  'exact: {}',
  'all tables: {}',
  'exact {#}',
  'sample: {}',
  'sample {#}',
  'miss ratio {#}',
  '{#} lines, {}',
  'baseline, {}',
  '{#} cycles, slow',
  'HP-RDA without ef: {}',
  'HP-RDA without ef {#}',
  'HP-RDA with ef: {}',
  'HP-RDA with ef {#}',
  '{}, {} cycles',
  '{} B lines, {} B fetched',
  'Core × {}',
  '{} hit, busy {}',
  '{} hit, busiest: {}',
  '`{}` in {} instead of {} saves {} on the whole GPU: {} {#} → {#}',
  '`{}` in {} instead of {} saves {} on the whole GPU: {} {#} → {#} ({} {#} → {#})',
  'the whole placement saves {} on the whole GPU: {} {#} → {#}',
  'the whole placement saves {} on the whole GPU: {} {#} → {#} ({} {#} → {#})',
  '`{}` in {} instead of {} costs {} on the whole GPU: {} {#} → {#}',
  '`{}` in {} instead of {} costs {} on the whole GPU: {} {#} → {#} ({} {#} → {#})',
  'the whole placement costs {} on the whole GPU: {} {#} → {#}',
  'the whole placement costs {} on the whole GPU: {} {#} → {#} ({} {#} → {#})',
  '{} saves {} on the whole GPU: {} {#} → {#}',
  '{} saves {} on the whole GPU: {} {#} → {#} ({} {#} → {#})',
  '{} costs {} on the whole GPU: {} {#} → {#}',
  '{} costs {} on the whole GPU: {} {#} → {#} ({} {#} → {#})',
  'L1 {}, {} B lines, {} sets of {} ways, {} cores',
];

/** What no person reads on the page: what a program error says, code, and formats of files. */
const UNSEEN = [
  "  {}: the times differ by less than the model's mean error on these GPUs",
  'each name says all',
  'no caller asks whether it is empty',
  'unsigned long long',
  '(unsigned long long){}({})',
  'adbcg efaba bagba',
  'abc bab aba bca',
  'abcd efgh ijkl',
  '    __shared__ {} {}[{}];  // what a block uses of it, from {}_first on',
  '    // A block needs {} such tiles: put the copy into a loop, with a barrier before and after.',
  '    // It is written: copy the tile back at the end, after a barrier.',
  '{} fits its box',
  ' - grid launch id ',
  '[line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate',
  'the format must be known after at most two pieces',
  'NVPROF is profiling',
  'warpscope estimated registers',
];

test('each sentence of the engine has a Chinese text', () => {
  const three = /[A-Za-z]{2,}[,;:]? [a-z]{2,}[,;:]? [a-z]{2,}/;
  const has = new Set(Object.keys(table).map((key) => key.replaceAll('{#}', '{}')));
  const said = (text: string) => has.has(text) || text.split('; ').every((part) => has.has(part));
  const left = new Set<string>();
  for (const file of readdirSync('crates', { recursive: true }).map(String)) {
    // The tables of measured hardware and the figures of pages are for the terminal only.
    if (!/^(?!testkit)[^/]+\/src\/.*\.rs$/.test(file) || /lab\/src\/(check\/|papers\/figures)|\btests?\b/.test(file))
      continue;
    const source = readFileSync(`crates/${file}`, 'utf8')
      .replace(/#\[cfg\(test\)\]\s*mod \w+ \{[^]*/, '')
      .replace(/^\s*\/\/.*$/gm, '')
      .replace(/\\\n\s*/g, '');
    for (const [, literal = ''] of source.matchAll(/"((?:[^"\\]|\\.)*)"/g)) {
      const text = holes(literal.replaceAll('\\"', '"').replaceAll('{{', '\u0001').replaceAll('}}', '\u0002'))
        .replaceAll('\u0001', '{')
        .replaceAll('\u0002', '}');
      if (
        three.test(text) &&
        !text.includes('\n') &&
        !/\\n|<svg|[)] *, metric/.test(text) &&
        !UNSEEN.includes(text) &&
        !said(text)
      )
        left.add(text);
    }
  }
  assert.deepEqual([...left], []);
});

test('each value of a mark of a drawing has a Chinese text', () => {
  const has = new Set(Object.keys(table).map((key) => key.replaceAll('{#}', '{}')));
  /** They end in what the drawing adds, and stand in the table with it. */
  const begun = ['{} cycles{}'];
  const left = new Set<string>();
  for (const file of readdirSync('crates/plot/src', { recursive: true }).map(String)) {
    if (!file.endsWith('.rs') || /\btests?\b/.test(file)) continue;
    const source = readFileSync(`crates/plot/src/${file}`, 'utf8').replace(/\\\n\s*/g, '');
    for (const [, literal = ''] of source.matchAll(/"((?:[^"\\]|\\.)*)"/g)) {
      if (!literal.includes('\\n') || literal.includes('<')) continue;
      for (const line of holes(literal).split('\\n'))
        if (/[a-z]{2,}/i.test(line.replaceAll('{}', '')) && !has.has(line) && !begun.includes(line)) left.add(line);
    }
  }
  assert.deepEqual([...left], []);
});

test('each key of the Chinese table is a text of the engine', () => {
  const spoken = holes(engine);
  const library = new Set(first.library.flatMap(({ title, lesson }) => [title, lesson]));
  const stale = Object.keys(table).filter(
    (key) =>
      !library.has(key) &&
      !COMPOSED.includes(key) &&
      !spoken.includes(holes(key).replaceAll('"', '\\"')) &&
      // Values of topologies are shown without their underscores, and Rust names them by variants.
      !spoken.includes(key.replaceAll(' ', '_')) &&
      !spoken.replaceAll('_', '').toLowerCase().includes(key.replaceAll(' ', '').toLowerCase()) &&
      !isOfLibrary(key),
  );
  assert.deepEqual(stale, []);
});

/** Titles stand before their lessons, and each lesson is tried after both signs. */
const isOfLibrary = (key: string) =>
  first.library.some(
    ({ lesson }) => lesson.startsWith(key) || lesson.replace(': ', ', ') === key || lesson.replace(', ', ': ') === key,
  );

test('names and helps of all parameters, and the library, are said in Chinese', () => {
  const chinese = speaker(table);
  const texts = [
    ...first.parameters.flatMap(({ label, help }) => [label, help]),
    ...first.library.flatMap(({ title, lesson }) => [title, lesson]),
    ...first.report.notes,
    ...first.presets.map(({ summary }) => summary),
  ];
  const same = ['MSHRs', 'N-body', 'Cores (SMs)'];
  assert.deepEqual(
    texts.filter((text) => chinese(text) === text && !same.includes(text)),
    [],
  );
});

test('what the compiler and the emulator put together is Chinese as a whole', () => {
  const chinese = speaker(table);
  const said = {
    '`;` after the declaration': '声明之后的 `;`',
    '`if` in column 49': '第 49 列的 `if`',
    'add `;`': '请添加 `;`',
    'thread (63, 0, 0) of block (3, 0, 0) reads `a[256]`': '线程块 (3, 0, 0) 的线程 (63, 0, 0) 读取 `a[256]`',
    'no "my_vector.h"': '没有 "my_vector.h"',
    'include of "my_vector.h" (line 1), include of boost/array.hpp (line 2)':
      '包含 "my_vector.h"（第 1 行），包含 boost/array.hpp（第 2 行）',
    'main of the host (line 11)': '主机的 main（第 11 行）',
  };
  for (const [english, own] of Object.entries(said)) assert.equal(chinese(english), own);
});

test('the Chinese texts have all values of their keys', () => {
  const wrong = Object.entries(table).filter(([key, own]) => {
    const number = (key.match(/\{#?\}/g) ?? []).length;
    const used = (own.match(/\{\d*\}/g) ?? []).length;
    return used !== number;
  });
  assert.deepEqual(wrong, []);
});
