// Every text of the Cache tab's sweep.

import type { Diagnostic } from '../engine/types';
import { count, percent1 } from './format';

/** Names of the numbers, as people read them. */
const measures: Record<string, string> = {
  requests: 'Requests',
  hits: 'Hits',
  miss_rate: 'Miss rate',
  miss_rate_with_latency: 'Miss rate with latency misses',
  compulsory: 'Compulsory misses',
  capacity: 'Capacity misses',
  associativity: 'Associativity misses',
  latency: 'Latency misses',
  mshr: 'MSHR misses',
  ticks: 'Ticks',
  cycles: 'Cycles',
  seconds: 'Time',
  instructions: 'Warp instructions',
  l1_requests: 'Loads',
  l1_sectors: 'Sectors at the L1',
  l1_hits: 'Hits in the L1',
  l1_hit_rate: 'Hit rate of the L1',
  l2_reads: 'Sectors read from the L2',
  l2_read_hits: 'Hits in the L2',
  l2_hit_rate: 'Hit rate of the L2',
  l2_writes: 'Sectors written to the L2',
  dram_reads: 'Sectors read from DRAM',
  dram_writes: 'Sectors written to DRAM',
  shared_wavefronts: 'Wavefronts of shared memory',
};

const isRate = (name: string) => name.endsWith('_rate') || name.endsWith('with_latency');

export const w = {
  before: 'These points are of an earlier result.',
  hint: 'Runs the kernels of this result once for each value, on all cores of this computer. Each row is a run of its own, and its fingerprint is the one that a single run has.',
  first: 'Parameter',
  second: 'Second parameter',
  none: 'none',
  values: 'Values',
  valuesHelp:
    'A list such as 1,2,4,8, a range such as 1..8, multiples such as x1/2,x1,x2, or the word factors for a quarter to four times.',
  scenario: {
    gpu: 'GPU',
    state: 'State of the caches',
    seed: 'Seed',
    without: 'One mechanism off at a time',
  } as Record<string, string>,
  addGpu: 'Add a GPU…',
  fastest: (name: string, time: string, beside: string[]) =>
    `Fastest: ${name}, ${time}.${beside.length === 0 ? '' : ` Within the error of the model as fast: ${beside.join('; ')}.`}`,
  noOrder: 'These values have no order, so no line joins their points.',
  run: 'Run',
  again: 'Run again',
  working: 'Running the points',
  points: (done: number, all: number) => `${count(done)} of ${count(all)} points`,
  cancelled: (done: number, all: number) =>
    `Cancelled. The ${count(done)} of ${count(all)} points that were done stay.`,
  done: (all: number) => (all === 1 ? 'The point is done.' : `${count(all)} points are done.`),
  gone: 'Run the kernels first. A result of files that are no longer here cannot be varied.',
  shows: 'The chart shows',
  chart: (measure: string, key: string) => `${measure} over ${key}`,
  caption: 'The points of the sweep',
  failed: 'No result',
  why: (n: number) => (n === 1 ? 'One point has no result:' : `${count(n)} points have no result:`),
  kept: 'These points are of the sweep before.',
  problem: (d: Diagnostic) => `Expected ${d.expected}, found ${d.found}: ${d.help}.`,
  csv: 'Save as CSV',
  json: 'Save as JSON',
  order: Object.keys(measures),
  measure: (name: string) => measures[name] ?? name,
  value: (name: string, value: number) => {
    if (name === 'seconds') return `${(value * 1e6).toFixed(2)} µs`;
    return isRate(name) ? percent1(value) : count(value);
  },
};
