// What the Placement tab is asked to do, as its part of the link says it: `view.placement.KEY`. Pure; a link can hold anything.

import { cudaFlags, quoted } from '../../app/terminal';
import { MEMORIES, type Memory, type PlaceLine, type Placement } from '../../engine/placement/types';
import type { CudaSettings } from '../../engine/types';

export type View = Record<string, string>;
export type Mode = 'arrays' | 'memory';

/** Names of the queues as `--queue` takes them. */
export const QUEUES = ['lindley', 'kingman', 'klb', 'kingman-linear', 'seed'] as const;
export type Queue = (typeof QUEUES)[number];
/** Parts that can be left out: the ablations of the paper's Figures 7 to 9. */
export const PARTS = ['counting', 'queue', 'mapping'] as const;
export type Part = (typeof PARTS)[number];
export const MAX_SEED = 2 ** 32 - 1;
/** Rules of the printed model's overlap; empty: coefficients decide. */
export const RULES = ['sample', 'trained', 'sample+trained', 'sim'] as const;
export type Rule = (typeof RULES)[number];
/** What was measured of the sample, by the keys of `--sample` and of the link. */
export const MEASURED = ['time_us', 'inst_executed', 'inst_issued', 'static_constants'] as const;
export type Measured = (typeof MEASURED)[number];

export interface Settings {
  mode: Mode;
  /** null: the GPU of the Cache tab. */
  gpu: string | null;
  /** From 1; 0: the one with most accesses. */
  kernel: number;
  /** Where the trace has the arrays; empty: in global memory. */
  from: Memory[];
  /** `seed` is what old links call `paper`. */
  model: 'default' | 'paper';
  /** null: not measured. */
  sample: Record<Measured, number | null>;
  /** null: coefficients decide. */
  rule: Rule | null;
  /** Γ of equation 16; null: 0. */
  gamma: number | null;
  /** An instruction between two arrivals takes one cycle, and not the EIT. */
  cycleArrivals: boolean;
  /** null: the model's own. */
  queue: Queue | null;
  without: Part[];
  ranges: string;
  confirmed: boolean;
  /** The placement to look at; null: the best. */
  look: Placement | null;
  /** What names the trained coefficients that a link was made with. */
  overlap: string | null;
  /** The fingerprint that the link promises, or that this page wrote into it. */
  result: string | null;
  /** Other changes of the text run too. */
  changes: boolean;
  seed: number;
  hashed: boolean;
}

function list<T extends string>(text: string | undefined, known: readonly T[]): T[] {
  const words = (text ?? '').split(',').filter((word) => word !== '');
  const found = words.flatMap((word) => known.find((one) => one === word) ?? []);
  return found.length === words.length ? found : [];
}

function whole(text: string | undefined, low: number, high: number, otherwise: number): number {
  const n = Number(text ?? NaN);
  return Number.isInteger(n) && n >= low && n <= high ? n : otherwise;
}

/** A number of a link above `least`; null if it is none. */
function positive(text: string | undefined, least: number): number | null {
  const n = text === undefined || text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(n) && n >= least && n <= 1e15 ? n : null;
}

export function readSettings(view: View): Settings {
  const at = (key: string) => view[`placement.${key}`];
  const look = list(at('look'), MEMORIES);
  const without = list(at('without'), PARTS);
  return {
    mode: at('mode') === 'memory' ? 'memory' : 'arrays',
    gpu: at('gpu') || null,
    kernel: whole(at('kernel'), 1, 1e6, 0),
    from: list(at('from'), MEMORIES),
    model: at('model') === 'paper' || at('model') === 'seed' ? 'paper' : 'default',
    sample: {
      time_us: positive(at('time_us'), 1e-6),
      inst_executed: positive(at('inst_executed'), 1),
      inst_issued: positive(at('inst_issued'), 1),
      static_constants: positive(at('static_constants'), 1),
    },
    rule: RULES.find((name) => name === at('rule')) ?? null,
    gamma: positive(at('gamma'), 0),
    cycleArrivals: at('arrivals') === 'cycle',
    queue: QUEUES.find((name) => name === at('queue')) ?? null,
    without: PARTS.filter((part) => without.includes(part)),
    ranges: at('ranges') ?? '',
    confirmed: at('confirmed') === '1',
    look: look.length > 0 ? look : null,
    overlap: at('overlap') || null,
    result: at('result') || null,
    changes: at('changes') === '1',
    seed: whole(at('seed'), 0, MAX_SEED, 1),
    hashed: at('hashed') === '1',
  };
}

/** The value of a placement in the link; null for all in global memory. */
export function fromText(placement: Placement): string | null {
  return placement.every((memory) => memory === 'global') ? null : placement.join(',');
}

export const same = (a: Placement, b: Placement) => a.length === b.length && a.every((memory, i) => memory === b[i]);

/** A link's name for coefficients: their number of rows and a short hash of the text (FNV-1a), enough to tell them apart. */
export function overlapName(json: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < json.length; i++) hash = Math.imul(hash ^ json.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

/** Which arrays are elsewhere than in `from`. */
export function moved(placement: Placement, from: Placement): number[] {
  return placement.flatMap((memory, i) => (memory === from[i] ? [] : [i]));
}

/**
 * What a link promises of a ranking, as the text of its fingerprint: the placements that ran on the model of the whole GPU, or the best one where
 * none ran. How many placements a guided search evaluated hangs on the number of workers.
 */
export function promiseOf(lines: PlaceLine[]): string {
  const ran = lines.filter((line) => line.machine_microseconds !== null);
  const kept = ran.length > 0 ? ran : lines.slice(0, 1);
  return JSON.stringify(
    kept.map((line) => [line.placement, line.cycles, line.machine_microseconds, line.tie, line.chance]),
  );
}

/** What the printed model is given, at the terminal. */
function paperFlags(settings: Settings): string[] {
  const measured = MEASURED.flatMap((key) => (settings.sample[key] === null ? [] : [`${key}=${settings.sample[key]}`]));
  const assumed = [
    settings.rule === null ? [] : [`overlap=${settings.rule}`],
    settings.gamma === null ? [] : [`gamma=${settings.gamma}`],
    settings.cycleArrivals ? ['arrivals=cycle'] : [],
  ].flat();
  return [
    ' --model paper',
    measured.length > 0 ? ` --sample ${measured.join(',')}` : '',
    assumed.length > 0 ? ` --assume ${assumed.join(',')}` : '',
  ];
}

/** The same search at the terminal; null where the terminal cannot say it. */
export function terminalCommand(
  settings: Settings,
  gpu: string,
  files: string[],
  example: string | null,
  cuda: CudaSettings,
  names: string[],
): string | null {
  // A text that was edited is in no file that the terminal could read.
  if (settings.ranges !== '' || settings.overlap !== null || gpu === 'file' || cuda.text !== null) return null;
  const input = example === null ? files.map(quoted).join(' ') : `example:${example}`;
  const from = settings.from.flatMap((memory, i) => (memory === 'global' ? [] : [`${names[i] ?? i}=${memory}`]));
  const parts = [
    cudaFlags(cuda),
    settings.kernel > 0 ? ` --kernel ${settings.kernel}` : '',
    from.length > 0 ? ` --from ${quoted(from.join(','))}` : '',
    ...(settings.model === 'paper' ? paperFlags(settings) : []),
    settings.queue === null ? '' : ` --queue ${settings.queue}`,
    settings.without.length > 0 ? ` --without ${settings.without.join(',')}` : '',
    settings.changes ? ' --changes' : '',
  ];
  return `warpscope place ${input} --gpu ${gpu}${parts.join('')} --format json`;
}
