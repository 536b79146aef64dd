// What the Reuse tab is asked to do, as its part of the link says it: `view.reuse.KEY`. Pure; a link can hold anything.

import { cudaFlags, quoted } from '../../app/terminal';
import { PATTERNS, type EngineName, type Generated, type Pattern } from '../../engine/reuse/protocol';
import type { CudaSettings } from '../../engine/types';

export type View = Record<string, string>;

/** Line sizes of the slider; 1: the numbers are lines already. */
export const LINE_SIZES = [1, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096];
export const ENGINES: EngineName[] = ['auto', 'rank', 'offline', 'sample'];
export const RATES = [0.1, 0.03, 0.01, 0.003, 0.001];
export const SWEEP = [128, 512, 2048, 8192, 32_768, 131_072];
export const LIMITS = {
  keep: 2048,
  n: 2_000_000_000,
  m: 268_435_456,
  seed: 4_294_967_295,
  exponent: 10,
  st: 1 << 20,
  nb: 1024,
  workers: 16,
};

/** MiB of packed addresses that are kept, unless told otherwise. */
export const KEEP = 512;

/** The paper's evaluation: ST 2048, NB 64. */
export const PAPER = { st: 2048, nb: 64 };

export interface FileRef {
  name: string;
  size: number;
  sha256: string;
}

export interface Settings {
  /** The trace of the Cache tab, a generated stream, or a stream's files. */
  input: 'trace' | Pattern | 'files';
  generated: Generated;
  files: FileRef[];
  /** Format that the files are read as; null: what they look like. */
  format: string | null;
  /** null: what suits the input. */
  line: number | null;
  order: 'program' | 'model';
  engine: EngineName;
  rate: number;
  workers: number;
  st: number;
  nb: number;
  /** MiB. */
  keep: number;
  /** What a link promises. */
  result: string | null;
}

const DEFAULTS: Generated = { kind: 'generated', pattern: 'zipf', n: 1_000_000, m: 50_000, seed: 1, exponent: 1 };

function whole(text: string | undefined, low: number, high: number, otherwise: number): number {
  const n = Number(text ?? NaN);
  return Number.isInteger(n) && n >= low && n <= high ? n : otherwise;
}

function oneOf<T extends string>(text: string | undefined, list: readonly T[], otherwise: T): T {
  return list.find((item) => item === text) ?? otherwise;
}

/** `NAME:SIZE:SHA256`, several of them separated by `|`. */
export function readFiles(text: string | undefined): FileRef[] {
  return (text ?? '').split('|').flatMap((one) => {
    const parts = /^(.+):(\d+):([0-9a-f]{64})$/.exec(one);
    return parts ? [{ name: parts[1]!, size: Number(parts[2]), sha256: parts[3]! }] : [];
  });
}

export function writeFiles(files: FileRef[]): string {
  return files.map((file) => `${file.name.replaceAll('|', '_')}:${file.size}:${file.sha256}`).join('|');
}

export function readSettings(view: View, cores: number): Settings {
  const at = (key: string) => view[`reuse.${key}`];
  const pattern = PATTERNS.find((p) => p === at('input'));
  const files = readFiles(at('files'));
  const line = whole(at('line'), 1, 1 << 20, 0);
  const exponent = Number(at('exponent') ?? NaN);
  const rate = Number(at('rate') ?? NaN);
  return {
    input: pattern ?? (files.length > 0 ? 'files' : 'trace'),
    generated: {
      kind: 'generated',
      pattern: pattern ?? DEFAULTS.pattern,
      n: whole(at('n'), 1, LIMITS.n, DEFAULTS.n),
      m: whole(at('m'), 1, LIMITS.m, DEFAULTS.m),
      seed: whole(at('seed'), 0, LIMITS.seed, DEFAULTS.seed),
      exponent: exponent >= 0 && exponent <= LIMITS.exponent ? exponent : DEFAULTS.exponent,
    },
    files,
    format: /^[\w-]+$/.test(at('format') ?? '') ? at('format')! : null,
    line: line > 0 ? line : null,
    order: oneOf(at('order'), ['program', 'model'] as const, 'program'),
    engine: oneOf(at('engine'), ENGINES, 'auto'),
    rate: rate >= 1e-6 && rate <= 1 ? rate : 0.01,
    workers: whole(at('workers'), 1, LIMITS.workers, Math.min(LIMITS.workers, Math.max(2, cores))),
    st: whole(at('st'), 1, LIMITS.st, PAPER.st),
    nb: whole(at('nb'), 1, LIMITS.nb, PAPER.nb),
    keep: whole(at('keep'), 0, LIMITS.keep, KEEP),
    result: /^[0-9a-f]{16}$/.test(at('result') ?? '') ? at('result')! : null,
  };
}

/** The value of a number in the link; null where it is the default. */
export function numberFor(key: keyof typeof DEFAULTS | 'st' | 'nb', n: number): string | null {
  const defaults: Record<string, unknown> = { ...DEFAULTS, ...PAPER };
  return n === defaults[key] ? null : String(n);
}

/** Bytes that a generated stream and its exact analysis take, about, before anything is made. */
export function generatedBytes({ n, m }: Generated): number {
  return 4 * n + 32 * Math.min(n, m);
}

/** The same analysis at the terminal, for what a browser cannot hold; null where the terminal has no such thing. */
export function terminalCommand(
  settings: Settings,
  files: string[],
  lineBytes: number,
  example: string | null,
  cuda: CudaSettings,
): string | null {
  const ofTrace = settings.input === 'trace';
  if (ofTrace && (settings.order === 'model' || cuda.text !== null)) return null;
  const { pattern, n, m, seed, exponent } = settings.generated;
  const generated = settings.input !== 'trace' && settings.input !== 'files';
  const make = `warpscope generate ${pattern} --n ${n} --m ${m} --seed ${seed}${pattern === 'zipf' && exponent !== 1 ? ` --exponent ${exponent}` : ''} -o stream.u64\n`;
  const from = generated ? 'stream.u64' : example !== null ? `example:${example}` : files.map(quoted).join(' ');
  const how =
    settings.engine === 'sample'
      ? ` --sample ${settings.rate}`
      : settings.engine === 'auto'
        ? ' --threads 2'
        : ` --engine ${settings.engine}`;
  const format = settings.input === 'files' && settings.format !== null ? ` --as ${settings.format}` : '';
  return `${generated ? make : ''}warpscope reuse ${from}${format}${ofTrace ? cudaFlags(cuda) : ''} --line-bytes ${lineBytes}${how} --format json`;
}
