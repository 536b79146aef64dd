import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AS_IT_IS } from '../../app/scenario';
import { generatedBytes, numberFor, readFiles, readSettings, terminalCommand, writeFiles } from './settings';

const sha = 'ab'.repeat(32);

test('nothing in the link is the trace of the Cache tab', () => {
  const settings = readSettings({}, 4);
  assert.deepEqual(
    [settings.input, settings.line, settings.order, settings.engine, settings.workers],
    ['trace', null, 'program', 'auto', 4],
  );
  assert.deepEqual([settings.st, settings.nb, settings.result], [2048, 64, null]);
  assert.equal(readSettings({}, 1).workers, 2);
});

test('a link sets what it names, and nonsense is the default', () => {
  const view = {
    'reuse.input': 'zipf',
    'reuse.n': '5000',
    'reuse.m': '0',
    'reuse.exponent': '0.8',
    'reuse.line': '64',
    'reuse.engine': 'magic',
    'reuse.order': 'model',
    'reuse.result': 'x',
  };
  const settings = readSettings(view, 2);
  assert.equal(settings.input, 'zipf');
  assert.deepEqual([settings.generated.n, settings.generated.m, settings.generated.exponent], [5000, 50_000, 0.8]);
  assert.deepEqual([settings.line, settings.engine, settings.order, settings.result], [64, 'auto', 'model', null]);
  assert.equal(readSettings({ 'reuse.input': 'toString', 'reuse.n': '1e99' }, 2).input, 'trace');
  assert.equal(readSettings({ 'reuse.result': '0123456789abcdef' }, 2).result, '0123456789abcdef');
});

test('files are written as they are read', () => {
  const files = [
    { name: 'a b:c.lackey', size: 12, sha256: sha },
    { name: 'd.u64', size: 8, sha256: sha },
  ];
  assert.deepEqual(readFiles(writeFiles(files)), files);
  assert.deepEqual(readFiles('a:1:short|'), []);
  assert.equal(readSettings({ 'reuse.files': writeFiles(files) }, 2).input, 'files');
});

test('defaults stay out of the link', () => {
  assert.equal(numberFor('n', 1_000_000), null);
  assert.equal(numberFor('n', 7), '7');
  assert.equal(numberFor('st', 2048), null);
});

test('the terminal does the same', () => {
  const at = (view: Record<string, string>) => readSettings(view, 2);
  assert.equal(
    terminalCommand(at({ 'reuse.input': 'zipf', 'reuse.exponent': '0.8' }), [], 1, null, AS_IT_IS),
    'warpscope generate zipf --n 1000000 --m 50000 --seed 1 --exponent 0.8 -o stream.u64\nwarpscope reuse stream.u64 --line-bytes 1 --threads 2 --format json',
  );
  assert.equal(
    terminalCommand(at({ 'reuse.engine': 'sample', 'reuse.rate': '0.1' }), ["it's.lackey"], 64, null, AS_IT_IS),
    "warpscope reuse 'it'\\''s.lackey' --line-bytes 64 --sample 0.1 --format json",
  );
  assert.equal(
    terminalCommand(at({ 'reuse.engine': 'offline' }), [], 128, 'stencil', AS_IT_IS),
    'warpscope reuse example:stencil --line-bytes 128 --engine offline --format json',
  );
  assert.match(
    terminalCommand(at({ 'reuse.files': `a.txt:1:${sha}`, 'reuse.format': 'din' }), ['a.txt'], 64, null, AS_IT_IS)!,
    /^warpscope reuse a\.txt --as din --line-bytes 64 /,
  );
  assert.match(
    terminalCommand(at({}), ['k.cu'], 128, null, { ...AS_IT_IS, form: 'written' })!,
    /^warpscope reuse k\.cu --form written /,
  );
  assert.equal(terminalCommand(at({}), ['k.cu'], 128, null, { ...AS_IT_IS, text: 'edited' }), null);
  assert.equal(terminalCommand(at({ 'reuse.order': 'model' }), [], 128, 'stencil', AS_IT_IS), null);
});

test('what a stream takes is known before it is made', () => {
  assert.equal(generatedBytes({ kind: 'generated', pattern: 'loop', n: 10, m: 1000, seed: 1, exponent: 1 }), 360);
});
