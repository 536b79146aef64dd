import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldText, fieldValue, inWords, parseBytes, parsePercent } from './numbers';

test('sizes as people type them', () => {
  for (const [text, bytes] of [
    ['4096', 4096],
    ['24 KiB', 24576],
    ['24k', 24576],
    ['1,5 MiB', 1572864],
    ['2.063 KiB', 2113],
    ['1 GiB', 2 ** 30],
    ['', null],
    ['-4', null],
    ['4 TiB', null],
    ['9999999999999999999', null],
  ] as const) {
    assert.equal(parseBytes(text), bytes, text);
  }
});

test('percent', () => {
  assert.equal(parsePercent('5'), 0.05);
  assert.equal(parsePercent('0'), 0);
  for (const text of ['', 'x', '-1', '51', null]) assert.equal(parsePercent(text), null, String(text));
});

test('a field gives back the value that it shows', () => {
  for (const [path, value] of [
    ['l1.bytes', 262144],
    ['l1.set_index', 'modulo'],
    ['l1.set_index', { xor_masks: [128, 256] }],
    ['l1.shared_with', ['Texture', 'Read Only']],
    ['l1.stores', 'write_evict'],
    ['l1.hit_cycles', 37.5],
    ['cores', 132],
    ['thesis_table', '5.7'],
    ['board.peak_gbs', 133.9],
    ['board.merges_wide', true],
    ['board.global_loads_in_l1', false],
    ['board.address_mapping', 'gpgpusim_kepler'],
  ] as const) {
    assert.deepEqual(fieldValue(path, fieldText(value)), value, path);
  }
  assert.equal(fieldValue('l1.bytes', '256 KiB'), 262144);
  assert.equal(fieldValue('cores', 'many'), 'many', 'what is no number goes to the validator as it is');
});

test('a value with parts is words and not JSON', () => {
  assert.equal(inWords({ xor_masks: [0x880, 0x1100, 0x2200] }), '3 xor masks: 0x880, 0x1100, …');
  assert.equal(inWords({ xor_masks: [128] }), '1 xor masks: 0x80');
  assert.equal(inWords({ sets: 4, kind: 'none' }), 'sets 4; kind none');
});
