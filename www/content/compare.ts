// Words of the comparison with a baseline.

import type { ComparedNumber, FileId, Model } from '../engine/types';
import { bytes, count, mean, percent1 } from './format';
import { g, time } from './gpu';
import type { TermId } from './glossary';
import { className, s } from './strings';

/** Names of the compared numbers. A fact of the verdict has the same name, so that its difference stands beside it. */
const names: Record<string, { name: string; term?: TermId }> = {
  seconds: { name: g.facts.time, term: 'gpu_time' },
  cycles: { name: g.facts.cycles, term: 'cycle' },
  ticks: { name: s.verdict.ticks, term: 'tick' },
  loads: { name: g.facts.loads, term: 'warp_load' },
  requests: { name: s.verdict.requests, term: 'request' },
  requests_per_load: { name: s.verdict.perLoad, term: 'requests_per_load' },
  least_per_load: { name: s.verdict.least, term: 'least_requests' },
  l1_bytes: { name: s.verdict.fetched, term: 'l1_fetched' },
  dram_bytes: { name: g.facts.dramToL2, term: 'dram_to_l2' },
  least_bytes: { name: s.verdict.leastBytes, term: 'least_bytes' },
  written_bytes: { name: 'written to the L2' },
  miss_rate: { name: s.verdict.missRate, term: 'miss_rate' },
  compulsory: { name: `${className.compulsory} misses`, term: 'compulsory' },
  capacity: { name: `${className.capacity} misses`, term: 'capacity' },
  associativity: { name: `${className.associativity} misses`, term: 'associativity' },
  latency: { name: `${className.latency} misses`, term: 'latency' },
  l1_hit_rate: { name: g.facts.l1, term: 'l1_hit_rate' },
  l2_hit_rate: { name: g.facts.l2, term: 'l2_hit_rate' },
  instructions: { name: g.facts.instructions, term: 'warp_instruction' },
  load_wavefronts: { name: g.shared.loads, term: 'wavefront' },
  store_wavefronts: { name: g.shared.stores, term: 'wavefront' },
  occupancy: { name: g.shared.occupancy, term: 'occupancy' },
};

/** What the model `gpu` calls otherwise. */
const gpuNames: typeof names = {
  requests_per_load: { name: g.facts.perLoad, term: 'sectors_per_load' },
  least_per_load: { name: g.facts.least, term: 'least_sectors' },
  l1_bytes: { name: g.facts.l2ToL1, term: 'l2_to_l1' },
};

export const numberName = (key: string, model: Model) =>
  (model === 'gpu' ? gpuNames[key] : undefined) ?? names[key] ?? { name: key };

/** Rates differ by points, so that "+5 %" is never read as a twentieth more. */
const points = (fraction: number) => `${(100 * fraction).toFixed(1)} points`;

/** A difference with its sign, as `format` writes the number itself. */
export function signedBy(difference: number, format: (n: number) => string): string {
  const plain = format === percent1 ? points : format;
  return difference === 0 ? '±0' : `${difference < 0 ? '−' : '+'}${plain(Math.abs(difference))}`;
}

/** How a number of each unit is written. */
export const unitFormat: Record<ComparedNumber['unit'], (n: number) => string> = {
  count,
  bytes,
  seconds: time,
  share: percent1,
  mean,
};

/** What a chart with the baseline says of itself. */
export const legends: Record<string, string> = {
  histogram: 'The line is the baseline.',
  timeline: 'Dashed lines are the baseline.',
  sets: 'The baseline has the same scale of colours.',
  flow: 'The baseline has the same scale of arrows.',
};

/** Why numbers of two models are not compared. */
const reasons: Record<ComparedNumber['scope'], string> = {
  all: 'only one of the models has them',
  unit: 'one model counts lines, the other sectors',
  time: 'a tick is no cycle',
  model: 'each model counts misses in its own way',
};

/** A ratio with three digits: 0.4815 → "× 0.48", 31.9 → "× 31.9". */
const times = (ratio: number) => `×\u202f${ratio >= 99.95 ? count(ratio) : Number(ratio.toPrecision(3))}`;

export const c = {
  heading: 'Compared with the baseline',
  swap: 'Swap',
  swapHelp: 'Show the baseline, and compare it with this run',
  unpin: 'Unpin',
  of: (kernel: string, now: string) => (kernel === now ? `Kernel ${now}.` : `Baseline: ${kernel}. Now: ${now}.`),
  kernel: 'Kernel of the baseline',
  changed: 'Changed inputs',
  itself: 'This run is the baseline. Change an input, or open another kernel, and the differences stand here.',
  unchanged: 'No input differs.',
  input: (name: string, before: string, now: string) => `${name}: ${before} → ${now}`,
  inputs: {
    kernel: 'kernel',
    launch: 'launch',
    form: 'accesses',
    text: 'text',
    gpu: 'GPU',
    model: 'model',
    state: 'caches',
    seed: 'seed',
    warm: 'warm caches',
    kernels: 'kernels run',
    edited: 'edited',
    files: (names: string[]) => (names.length > 2 ? `${names[0]} and ${names.length - 1} more` : names.join(' and ')),
    own: 'the GPU’s own',
    asWritten: 'as written',
    all: 'all',
  },
  number: 'Number',
  baseline: 'Baseline',
  now: 'Now',
  change: 'Change',
  times,
  verdict: { better: 'better', worse: 'worse', same: 'same' } as Record<string, string>,
  notCompared: (names: string[], scope: ComparedNumber['scope']) =>
    `Not compared: ${names.join(', ')} (${reasons[scope]}).`,
  none: 'These two runs have no number in common.',
  running: 'Running the baseline of the link…',
  wanted: (files: FileId[]) =>
    `The baseline of the link needs ${files.map((f) => f.name).join(', ')}. Open ${files.length === 1 ? 'it' : 'them'} to compare.`,
  open: 'Open the baseline’s files…',
  failed: 'The baseline could not be run.',
  notReproduced: 'The baseline’s result differs from the one that the link promised.',
};
