import assert from 'node:assert/strict';
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
    [0.9996, '99.9 %'],
    [1, '100 %'],
  ];
  for (const [value, expected] of cases) assert.equal(plain(percent(value)), expected);
  assert.equal(plain(percent1(0.6132)), '61.3 %');
  assert.equal(percent(Number.NaN), '–');
});

test('sizes carry a binary unit', () => {
  assert.equal(plain(bytes(16384)), '16 KiB');
  assert.equal(plain(bytes(1536)), '1.5 KiB');
  assert.equal(plain(bytes(12)), '12 bytes');
});

test('dimensions drop what is 1', () => {
  assert.equal(dimensions([128, 1, 1]), '128');
  assert.equal(dimensions([32, 8, 1]), '32 × 8');
  assert.equal(dimensions([1, 1, 1]), '1');
});

test('a share of nothing is nothing', () => assert.equal(share(3, 0), 0));

test('kernel names lose return type and parameters, and nothing else', () => {
  assert.equal(shortName('void at::kernel<4, (int)2>(int, f(*)(int))'), 'at::kernel<4, (int)2>');
  assert.equal(shortName('(odd)'), '(odd)');
});

test('mangled names of C++ are shown without their parameters', () => {
  const cases: [string, string][] = [
    ['_Z12matmul_naivePKfS0_Pfi', 'matmul_naive'],
    ['_Z12matmul_tiledILi16EEvPKfS1_Pfi', 'matmul_tiled<…>'],
    ['_ZN6thrust4cuda7reduce_EPf', 'thrust::cuda::reduce_'],
    ['_ZN12_GLOBAL__N_14axpyIfEEvPT_', '(anonymous)::axpy<…>'],
    ['_ZL5innerPf', 'inner'],
    ['_Z', '_Z'],
    ['_Zwhat', '_Zwhat'],
    ['plain', 'plain'],
  ];
  for (const [name, said] of cases) assert.equal(shortName(name), said);
});
