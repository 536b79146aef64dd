import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckedCounter } from '../engine/types';
import { counted, errorOf } from './measured';

const plain = (text: string) => text.replaceAll('\u202f', ' ');
const counter = (error: number | null, error_unit = '%'): CheckedCounter => ({
  counter: 'L2 reads',
  error_unit,
  measured: 1,
  modelled: 1,
  error,
  others: [],
});

test('values have the digits that they need', () => {
  assert.deepEqual([0, 128, 2.5, 99.126, 1234567.4].map(counted).map(plain), [
    '0',
    '128',
    '2.50',
    '99.13',
    '1 234 567',
  ]);
});

test('errors have a sign and a unit, and say when there is none', () => {
  assert.deepEqual(
    [counter(0), counter(-3.217), counter(1234.4), counter(0.5, 'points'), counter(null)].map(errorOf).map(plain),
    ['exact', '−3.22 %', '+1 234 %', '+0.50 pt', 'no share'],
  );
});
