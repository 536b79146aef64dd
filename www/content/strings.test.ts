import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KernelReport } from '../engine/types';
import { s } from './strings';
import { shareInWords } from './verdict';

const plain = (text: string) => text.replaceAll('\u202f', ' ');

function kernel(parts: {
  hits: number;
  compulsory: number;
  capacity: number;
  associativity: number;
  latency: number;
}): KernelReport {
  const { hits, ...misses } = parts;
  const requests = Object.values(parts).reduce((a, b) => a + b, 0);
  const none = { arrays: [], instructions: [], sets: [], warps: [], cores: [], timeline: [], cases: [], histogram: {} };
  return {
    ...none,
    number: 1,
    name: 'k',
    grid: [1, 1, 1],
    block: [32, 1, 1],
    requests,
    hits,
    miss_rate: 0,
    miss_rate_with_latency: 0,
    misses: { ...misses, mshr: 0 },
    differential: null,
    ticks: 0,
    cancels: 0,
    arrays: [{}, {}] as KernelReport['arrays'],
    verdict: { class: 'capacity', class_share: 0.75, array: 'B', array_share: 1 },
    work: null,
  };
}

test('the verdict reads as the issue asks', () => {
  const k = kernel({ hits: 39, compulsory: 15, capacity: 46, associativity: 0, latency: 0 });
  assert.equal(
    plain(s.verdict.sentence(k)),
    '61 % of requests miss; three quarters of them are capacity misses in array B.',
  );
});

test('of equally many misses, those that can be avoided are told', () => {
  const tie = kernel({ hits: 0, compulsory: 128, capacity: 0, associativity: 128, latency: 0 });
  assert.match(s.verdict.sentence(tie), /half of them are associativity misses/);
});

test('latency misses are told apart, as the miss rate leaves them out', () => {
  const k = kernel({ hits: 50, compulsory: 10, capacity: 0, associativity: 0, latency: 40 });
  assert.equal(
    plain(s.verdict.sentence(k)),
    '10 % of requests miss; all of them are compulsory misses. A further 40 % wait for a line that is already on its way.',
  );
});

test('extremes', () => {
  assert.equal(
    s.verdict.sentence(kernel({ hits: 5, compulsory: 0, capacity: 0, associativity: 0, latency: 0 })),
    'No request misses.',
  );
  assert.match(
    s.verdict.sentence(kernel({ hits: 0, compulsory: 5, capacity: 0, associativity: 0, latency: 0 })),
    /^Every request misses; all/,
  );
  assert.equal(
    s.verdict.sentence(kernel({ hits: 0, compulsory: 0, capacity: 0, associativity: 0, latency: 0 })),
    'This kernel makes no requests to the cache.',
  );
});

test('shares in words', () => {
  const cases: [number, string][] = [
    [1, 'all'],
    [0.97, 'nearly all'],
    [0.74, 'three quarters'],
    [0.51, 'half'],
    [0.6, '60 %'],
    [0.33, 'a third'],
  ];
  for (const [value, expected] of cases) assert.equal(plain(shareInWords(value)), expected);
});
