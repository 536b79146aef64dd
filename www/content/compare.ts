// Words of the comparison with a baseline.

import type { ComparedNumber, FileId, GpuNumbers, Model } from '../engine/types';
import { bytes, count, mean, percent1 } from './format';
import { busiestPart, clockOf, g, prefixed, time } from './gpu';
import { className, s } from './strings';

/** Names of the compared numbers. A fact of the verdict has the same name, so that its difference stands beside it. */
const names: Record<string, string> = {
  seconds: g.facts.time,
  cycles: g.facts.cycles,
  ticks: s.verdict.ticks,
  loads: g.facts.loads,
  requests: s.verdict.requests,
  requests_per_load: s.verdict.perLoad,
  least_per_load: s.verdict.least,
  l1_bytes: s.verdict.fetched,
  dram_bytes: g.facts.dramToL2,
  least_bytes: s.verdict.leastBytes,
  written_bytes: 'written to the L2',
  miss_rate: s.verdict.missRate,
  compulsory: `${className.compulsory} misses`,
  capacity: `${className.capacity} misses`,
  associativity: `${className.associativity} misses`,
  latency: `${className.latency} misses`,
  l1_hit_rate: g.facts.l1,
  l2_hit_rate: g.facts.l2,
  instructions: g.facts.instructions,
  load_wavefronts: g.shared.loads,
  store_wavefronts: g.shared.stores,
  occupancy: g.shared.occupancy,
  working_cores: g.shared.cores,
  counted_sectors: g.shared.counted,
  atomic_sectors: g.shared.atomics,
};

/** What the model `gpu` calls otherwise. */
const gpuNames: typeof names = {
  requests_per_load: g.facts.perLoad,
  least_per_load: g.facts.least,
  l1_bytes: g.facts.l2ToL1,
};

export const numberName = (key: string, model: Model) =>
  (model === 'gpu' ? gpuNames[key] : undefined) ?? names[key] ?? key;

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
  cores: 'Lines are the sectors of the baseline.',
  roofline: 'Grey points are the baseline.',
};

/** Why numbers of two models are not compared. */
const reasons: Record<ComparedNumber['scope'], string> = {
  all: 'only one of the models has them',
  unit: 'one model counts lines, the other sectors',
  time: 'a tick is no cycle',
  model: 'each model counts misses in its own way',
};

/** A ratio with three digits, and with more where it is near one: 0.4815 → "× 0.482", 0.99961 → "× 0.9996". */
function times(ratio: number): string {
  const digits = Math.abs(ratio - 1) < 0.005 ? 4 : 3;
  return `×\u202f${ratio >= 99.95 ? count(ratio) : Number(ratio.toPrecision(digits))}`;
}

/** What stands behind a difference in time: the clock, the busiest part, and what the schedulers do most. */
function behind(before: GpuNumbers, now: GpuNumbers): string {
  const change = (of: (n: GpuNumbers) => string) => (of(before) === of(now) ? of(now) : `${of(before)} → ${of(now)}`);
  const clock = change((n) => prefixed(clockOf(n), 'Hz'));
  const busiest = change((n) => g.busy(busiestPart(n), n));
  return `Clock: ${clock}. Busiest part: ${busiest}. Most cycles of the schedulers: ${change(g.mostly)}.`;
}

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
  notCompared: (names: string[], scope: ComparedNumber['scope']) => `${names.join(', ')}: ${reasons[scope]}.`,
  others: (n: number) => (n === 1 ? '1 number is not compared' : `${count(n)} numbers are not compared`),
  behind,
  none: 'These two runs have no number in common.',
  running: 'Running the baseline of the link…',
  wanted: (files: FileId[]) =>
    `The baseline of the link needs ${files.map((f) => f.name).join(', ')}. Open ${files.length === 1 ? 'it' : 'them'} to compare.`,
  open: 'Open the baseline’s files…',
  failed: 'The baseline could not be run.',
  notReproduced: 'The baseline’s result differs from the one that the link promised.',
};
