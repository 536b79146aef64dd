// Words of the comparison with a baseline.

import type { ComparedNumber, FileId, GpuNumbers, Model } from '../engine/types';
import { type Conclusion, type CountId, isSmall, type Reason } from './conclusion';
import { bytes, count, mean, percent, percent1 } from './format';
import { busiestPart, clockOf, g, prefixed, time } from './gpu';
import type { Margin } from './margin';
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

const NOTHING = '±0';

/** A difference with its sign, as `format` writes the number itself. One that is written like nothing is nothing. */
export function signedBy(difference: number, format: (n: number) => string): string {
  const plain = format === percent1 ? points : format;
  const text = plain(Math.abs(difference));
  return difference === 0 || text === plain(0) ? NOTHING : `${difference < 0 ? '−' : '+'}${text}`;
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

/** A ratio above one, with the digits that a person would say: 1.417 → "1.42", 6.577 → "6.6". */
const factor = (ratio: number) => (ratio < 1.995 ? `${Number(ratio.toFixed(2))}` : mean(ratio));

/** How many there are beside before: "6.6 times fewer", "1.4 times as many", "3 % more". */
function amount(ratio: number): string {
  if (isSmall(ratio)) return `${percent(Math.abs(ratio - 1))} ${ratio < 1 ? 'fewer' : 'more'}`;
  return ratio < 1 ? `${factor(1 / ratio)} times fewer` : `${factor(ratio)} times as many`;
}

const counted: Record<CountId, (ratio: number) => string> = {
  sectors: (ratio) => `loads ask for ${amount(ratio)} sectors`,
  fromL2: (ratio) => `the L1s read ${amount(ratio)} bytes from the L2`,
  fromDram: (ratio) => `the L2 reads ${amount(ratio)} bytes from DRAM`,
  written: (ratio) => `${amount(ratio)} bytes are written to the L2`,
  atomics: (ratio) => `atomics change ${amount(ratio)} sectors at the L2`,
  wavefronts: (ratio) => `shared memory takes ${amount(ratio)} wavefronts`,
  instructions: (ratio) => `it takes ${amount(ratio)} instructions`,
};

function reasonText(reason: Reason): string {
  if (reason.of !== 'clock') return counted[reason.of](reason.ratio);
  const { cycles, before, now } = reason;
  const clock = `a ${now > before ? 'faster' : 'slower'} clock (${prefixed(before, 'Hz')} → ${prefixed(now, 'Hz')})`;
  return `${cycles === 1 ? 'the same cycles' : `${amount(cycles)} cycles`} at ${clock}`;
}

function errorText({ error, unknown, sameGpu }: Margin): string {
  const where = sameGpu ? 'this GPU' : unknown === 1 ? 'one of these GPUs' : 'these GPUs';
  if (unknown === 0) return `its mean error on ${where} is ${percent(error)}`;
  return `its error on ${where} is unknown (${percent(error)} assumed)`;
}

/** A number that differs, as it is written. */
export interface Moved {
  name: string;
  before: string;
  now: string;
}

/** The answer of a comparison; `most`: the number that moved farthest. */
function conclusion(told: Conclusion, most: Moved | null = null): string {
  switch (told.kind) {
    case 'same':
      return 'No difference.';
    case 'within': {
      const { ratio, margin } = told;
      if (ratio === 1 && most) return `The same time. What differs most: ${most.name}, ${most.before} → ${most.now}.`;
      if (ratio === 1) return 'The same time. Other numbers differ.';
      const change = `${percent(Math.abs(ratio - 1))} ${ratio < 1 ? 'less' : 'more'} time`;
      return `No difference that the model can tell: ${change}, and ${errorText(margin)}.`;
    }
    case 'time': {
      const { ratio, reason, margin, cores } = told;
      const times = ratio < 1 ? `${factor(1 / ratio)} times as fast` : `Takes ${factor(ratio)} times as long`;
      const work = cores === null ? '' : ` ${count(cores)} ${cores === 1 ? 'core has' : 'cores have'} work on both.`;
      return `${times}${reason ? `: ${reasonText(reason)}` : ''}.${work} That is more than the model’s error explains: ${errorText(margin)}.`;
    }
    case 'l1': {
      const { requests, bytes: moved, rate } = told;
      const [before, now] = rate.map(percent1);
      const parts = [
        requests === 1 ? '' : `${amount(requests)} requests`,
        moved === null || moved === 1 ? '' : `${amount(moved)} bytes into the L1s`,
        before === now ? '' : `the miss rate ${rate[1] < rate[0] ? 'falls' : 'rises'} from ${before} to ${now}`,
      ].filter(Boolean);
      const text = parts.join(', ') || 'the same requests and the same miss rate';
      return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
    }
  }
}

export const c = {
  heading: 'Compared with the baseline',
  on: (kernel: string, gpu: string) => `${kernel} on ${gpu}`,
  nothing: NOTHING,
  conclusion,
  noLossOfHits: (fewer: number) =>
    `The lower L1 hit rate is no loss: it is the rate of ${factor(fewer)} times fewer sectors.`,
  noLossOfMisses: (fewer: number) =>
    `The higher miss rate is no loss: of ${factor(fewer)} times fewer requests, no more miss.`,
  capacity:
    'Capacity misses differ although the size does not: with other ways other requests miss, so warps wait at other times and the requests come in another order.',
  models: (before: Model, now: Model) =>
    `The models differ (“${before}”, now “${now}”), so only numbers that both count in the same way are compared.`,
  runIn: (model: Model) => `Run this in the model “${model}”`,
  swap: 'Swap',
  swapHelp: 'Show the baseline, and compare it with this run',
  kept: 'Kept. Now change the GPU, a parameter or the kernel.',
  unpin: 'Stop comparing',
  of: (kernel: string, now: string) => (kernel === now ? `Kernel ${now}.` : `Baseline: ${kernel}. Now: ${now}.`),
  kernel: 'Kernel of the baseline',
  changed: 'Changed inputs',
  itself: 'This run is the baseline. Now change the GPU, a parameter or the kernel: the differences stand here.',
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
  verdict: { better: 'better', worse: 'worse', same: 'same', unsure: 'too close to tell' } as Record<string, string>,
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
