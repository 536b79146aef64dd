// Texts of the Reuse tab.

import type { GpuRefusal } from '../engine/reuse/hp-rda-gpu';
import type { Pattern, Why } from '../engine/reuse/protocol';
import { bytes, count, percent, plural } from './format';

const THIN = '\u202f';
export const points = (n: number) => `${n < 0.005 && n > 0 ? '< 0.01' : n.toFixed(2)} points`;
export const errorPercent = (n: number) => `${n === 0 ? '0' : n < 0.0005 ? '< 0.001' : n.toFixed(3)}${THIN}%`;
export const duration = (ms: number) =>
  ms < 10 ? `${ms.toFixed(1)}${THIN}ms` : ms < 2000 ? `${count(ms)}${THIN}ms` : `${(ms / 1000).toFixed(2)}${THIN}s`;
export const lineName = (n: number) => (n === 1 ? 'each number is a line' : bytes(n));

const refusals: Record<GpuRefusal, string> = {
  absent: 'This browser has no WebGPU; the CPU version above is all there is.',
  'no-adapter': 'WebGPU is there, but the browser offers no graphics adapter; the CPU version above is all there is.',
  'too-large':
    'The tables are larger than this adapter’s buffers may be; the CPU version above stands. Shorter thread traces or a shorter stream would fit.',
  lost: 'The graphics device was lost under the work (a driver reset, or the system took it away); the CPU version above stands.',
  failed: 'The graphics device refused the work; the CPU version above stands.',
};

const accessesTo = (accesses: number, distinct: number) =>
  `${count(accesses)} ${accesses === 1 ? 'access' : 'accesses'} to ${count(distinct)} distinct ${distinct === 1 ? 'line' : 'lines'}`;

/** A cache, and the share that it hits of what any cache can hit. */
export interface Hitting {
  lines: number;
  share: number;
}

export const r = {
  intro:
    'How many different lines are touched between two uses of the same line? Those distances, counted over a whole run, tell the miss ratio of every cache size at once.',
  setup: 'Stream',
  input: {
    label: 'Source',
    trace: 'trace of the Cache tab',
    files: 'your address stream',
    generated: 'Generated',
    names: { uniform: 'uniform', zipf: 'Zipf', loop: 'loop', matmul: 'matrix product', phased: 'phases' } as Record<
      Pattern,
      string
    >,
    about: {
      uniform: 'Every line is as likely as any other: distances spread evenly up to M.',
      zipf: 'A few lines are asked for often and many rarely: a long, flat tail.',
      loop: 'All lines in turn, again and again: one distance, M − 1, so a cache a line too small hits nothing.',
      matmul: 'Loads of a naive product of square matrices: a row, a column, an element.',
      phased: 'Stretches of different behaviour over different windows of memory.',
    } as Record<Pattern, string>,
    n: 'Accesses, N',
    m: 'Lines, M',
    seed: 'Seed',
    exponent: 'Exponent',
    open: 'Open files…',
    formats:
      'Address streams: Valgrind lackey, Dinero din, pinatrace, CSV, .u64, oracleGeneral; packed with gzip, zstd, xz or zip too. GPU traces as in the Cache tab. Drop them anywhere.',
    readAs: 'Read as',
    looks: (name: string) => `what it looks like${name && ` (${name})`}`,
    order: 'Order of requests',
    orders: { program: 'program order', model: 'as the cache model issues them' } as Record<string, string>,
    orderHelp: {
      program:
        'Warp after warp, each from start to end: what the kernel asks for, without any timing. Loads and stores.',
      model:
        'Loads only, in the order in which the model “paper” issues them on each core with the GPU and the seed of the Cache tab; each core has its own cache. Lines are never smaller than the GPU’s own.',
    } as Record<string, string>,
  },
  line: {
    label: 'Line size',
    value: lineName,
    keptAs: (asked: string, used: string) => `The model’s lines have ${used}; ${asked} is smaller.`,
  },
  engine: {
    label: 'Engine',
    names: {
      auto: 'automatic',
      rank: 'rank bits',
      offline: 'inversion count',
      sample: 'sample (SHARDS)',
      'hp-rda': 'HP-RDA',
      shards: 'sample (SHARDS)',
    } as Record<string, string>,
    about: {
      auto: 'By size; the result says which one and why.',
      rank: 'Exact and streaming: a bit per slot, some 30 bytes for each distinct line and none per access.',
      offline: 'Exact, in memory: distances as inversions counted by a merge sort, 16 bytes per access.',
      sample: 'An estimate from a sample of the lines, with its error: for streams too long to wait for.',
    } as Record<string, string>,
    rate: 'Share of lines',
  },
  run: 'Analyse',
  advanced: 'More settings',
  keep: 'Keep addresses up to (MiB)',
  notKept:
    'This needs the addresses in memory, and this file’s are too many to be kept. Allow more under “More settings”, or use `warpscope reuse FILE --engine hp-rda` at the terminal.',
  workers: 'Workers',
  st: 'ST, references in a thread trace',
  nb: 'NB, threads in a block',
  why: (why: Why, distinct: number, accesses: number): string =>
    ({
      passing:
        'Rank bits, because the file is too large to be kept: it is read again for each analysis, and rank bits need nothing of it afterwards.',
      groups: 'Rank bits, because they give each access’s distance at once, and so tell kernels and arrays apart.',
      'few-lines': `Rank bits: up to 5 million distinct lines they are the fastest exact way (here ${count(distinct)}).`,
      'many-accesses': `Rank bits: counting inversions would be faster for ${count(distinct)} lines, but needs 16 bytes for each of ${count(accesses)} accesses.`,
      'many-lines': `Inversion count: with ${count(distinct)} distinct lines every look-up misses the processor’s caches, and sorting does not.`,
    })[why],
  chosen: (name: string) => `${name}, because you chose it.`,
  kept: (n: number) => `The addresses are kept packed (${bytes(n)}), so another line size needs no second reading.`,
  passing: 'The addresses are too many to be kept: another line size or engine reads the file again.',
  estimate: (memory: number) => `The analysis takes about ${bytes(memory)} of memory.`,
  progress: {
    reading: 'Reading',
    preparing: 'Cutting into lines',
    running: 'Analysing',
    comparing: 'Comparing',
    sweeping: 'Sweeping over ST',
    sampling: 'Sampling',
    cancelled: 'Cancelled; what was there before stays.',
    of: (done: number, total: number) => (total > 0 ? `${percent(done / total)}` : plural(done, 'access', 'accesses')),
    done: (accesses: number, distinct: number) => `Analysed ${accessesTo(accesses, distinct)}.`,
  },
  problem: {
    nothing: 'There is no address stream and no kernel in these files.',
    unusable: 'Nothing in these files could be analysed. The messages say why.',
    otherFiles: 'These are not the files that the link names; the link now names these.',
    noSource: 'The Cache tab has no trace yet: choose an example there, or a generated stream here.',
  },
  wanted: {
    heading: 'This link is about a file that it does not contain',
    text: 'A link never carries a file. If you have it, drop it here or open it to see the same result; it stays on this computer.',
    item: (size: number) => `${bytes(size)}, SHA-256`,
  },
  tooBig: {
    heading: 'This may not fit',
    running: (n: number) =>
      `The analysis needs about ${bytes(n)}, and a browser tab has at most 4 GiB. The terminal has no such limit:`,
    comparing: (n: number) =>
      `The comparison needs about ${bytes(n)} besides, and a browser tab has at most 4 GiB. The terminal has no such limit:`,
    none: 'The terminal orders no requests by the cache model; choose program order, fewer kernels or larger lines.',
    copy: 'Copy the command',
    anyway: 'Try it here anyway',
  },
  summary: {
    heading: 'Result',
    /** `half` and `most`: the smallest caches that hit at least half and nine tenths of what can hit, and the shares that they hit. */
    sentence: (accesses: number, distinct: number, half: Hitting | null, most: Hitting | null, least = 1) =>
      `${accessesTo(accesses, distinct)}. ` +
      (half === null
        ? 'No cache size halves the misses of the smallest one.'
        : `A cache of ${count(half.lines)} ${half.lines === 1 ? 'line' : 'lines'} hits ${percent(half.share)} of the accesses that can hit` +
          (most !== null && most.lines > half.lines
            ? `, one of ${count(most.lines)} lines ${percent(most.share)}.`
            : half.lines <= least
              ? '.'
              : '; a smaller one hits less than half of them.')),
    accesses: 'Accesses',
    distinct: 'Distinct lines',
    line: 'Line',
    time: 'Time',
    memory: 'Memory, estimated and taken',
    engine: 'Engine',
    largest: 'Largest distance',
    estimated: 'estimated',
    footprint: (n: number) => `${bytes(n)} in all`,
    cached: (n: number) => `${duration(n)}`,
    reproduced: 'reproduced',
    reproducedMore: 'The link’s fingerprint is this result’s.',
    not: 'Not what the link promised: its fingerprint is of another result. The stream, the line size or the engine may differ.',
  },
  histogram: {
    heading: 'Reuse distances',
    hint: 'Accesses by the number of distinct lines since the line’s last use. ∞: its first use.',
    bins: 'Bars',
    modes: { log: 'powers of two', exact: 'exact distances' } as Record<string, string>,
    from: 'From',
    to: 'to',
    distance: 'Distance',
    accesses: 'Accesses',
    share: 'Share',
    upTo: 'Up to here',
    first: 'first use',
    label: (most: string, firsts: number) =>
      `Accesses by reuse distance. Most lie at ${most}; ${percent(firsts)} are first uses.`,
    range: (low: number, high: number) => (low === high ? count(low) : `${count(low)} to ${count(high)}`),
    wide: (width: number) => `Each bar stands for ${count(width)} distances; narrow the range to see each one.`,
  },
  curve: {
    heading: 'Miss-ratio curve',
    hint: 'The share of accesses that miss in a fully associative LRU cache, for every size at once. Rings are knees: beyond them, a larger cache pays less.',
    axis: 'Sizes',
    modes: { log: 'by doublings', linear: 'linear' } as Record<string, string>,
    lines: 'Lines',
    size: 'Size',
    ratio: 'Miss ratio',
    knee: 'Knee',
    yes: 'knee',
    label: (knees: string, last: number, at: number) =>
      `Miss ratio by cache size.${knees && ` Knees: ${knees}.`} ${percent(last)} at ${count(at)} lines.`,
    kneeAt: (lines: number, ratio: number) => `${count(lines)} ${lines === 1 ? 'line' : 'lines'} (${percent(ratio)})`,
    none: 'There is no knee: no doubling of the cache stands out.',
    knees: (list: string, several: boolean) => `${several ? 'Knees' : 'Knee'} at ${list}.`,
    below: 'Smallest cache with a miss ratio of at most',
    /** Lines and miss ratio. `enough`: so low a ratio as was asked for; otherwise it is the least of all sizes. */
    smallest: ([lines, ratio]: [number, number], line: number, enough: boolean) => {
      const size = `${count(lines)} ${lines === 1 ? 'line' : 'lines'}${line > 1 ? `, ${count(lines * line)} bytes` : ''}`;
      const share = `${(100 * ratio).toFixed(3)}\u202f%`;
      return enough
        ? `${size} (${share}).`
        : `no size: ${share} miss from ${size} on, since the first access to a line always misses.`;
    },
  },
  parts: {
    heading: 'By array and kernel',
    hint: 'Distances are those of the whole stream; each access is counted where it belongs. Choose a row to see its histogram and curve.',
    array: 'Array',
    kernel: 'Kernel',
    all: 'everything',
    nowhere: 'no known array',
    accesses: 'Accesses',
    firsts: 'First uses',
    share: 'Share',
    half: 'Median distance',
    show: (name: string) => `Show ${name}`,
    shown: (name: string) => `Shown: ${name}`,
    arrays: 'Arrays',
    kernels: 'Kernels',
  },
  compare: {
    heading: 'Sequential, exact in parallel, HP-RDA',
    hint: 'The same stream, analysed in four or five ways. HP-RDA is the GPU algorithm of IPDPS 2012, rebuilt step by step. The table shows the time that it saves and its error.',
    run: 'Run the comparison',
    again: 'Run it again',
    takes: (n: number) => `Takes about ${bytes(n)} of memory.`,
    caption: 'Time and error of each method',
    way: 'Method',
    time: 'Time',
    speed: 'Against sequential',
    e: 'Error e',
    cdf: 'Largest error by bins',
    mrc: 'Largest error of the curve',
    sequential: 'sequential, rank bits',
    parallel: (k: number) => `exact in parallel, ${k} workers`,
    plain: 'HP-RDA without ef',
    adjusted: 'HP-RDA with ef',
    gpu: 'HP-RDA on WebGPU',
    parallelTime: (slowest: number, merge: number) =>
      `slowest partition ${duration(slowest)} and merge ${duration(merge)}`,
    wall: (ms: number) => `${duration(ms)} on the clock, which also counts copying and waiting for cores`,
    equal: 'equal to the sequential histogram, bit for bit',
    unequal: 'NOT equal to the sequential histogram: please report this',
    gpuEqual: (adapter: string) => `equal to the CPU version’s histogram, bit for bit${adapter && ` (${adapter})`}`,
    gpuUnequal: 'NOT equal to the CPU version’s histogram: please report this',
    refused: (why: string, detail: string) =>
      `${refusals[why as GpuRefusal] ?? refusals.failed}${detail && detail !== why ? ` (${detail})` : ''}`,
    done: 'The comparison is done.',
    chart: 'Exact and approximate miss-ratio curves.',
    legend: { exact: 'exact', plain: 'HP-RDA without ef', adjusted: 'HP-RDA with ef', sample: 'sample' } as Record<
      string,
      string
    >,
    reasons: 'Why',
  },
  sweep: {
    heading: 'HP-RDA by the length of thread traces',
    hint: 'As in Figures 16 (error) and 17 (time) of the paper: ST is the number of references that one GPU thread handles. The paper chose 2048.',
    run: 'Run the sweep',
    again: 'Run it again',
    done: 'The sweep is done.',
    error: 'Error e',
    time: 'Time',
    errorLabel: 'Error e of HP-RDA by ST, without and with ef.',
    timeLabel: 'Time of HP-RDA by ST.',
    errorTitle: 'e (%)',
    timeTitle: 'Time (ms, CPU version)',
    caption: 'Error and time by ST',
    plain: 'e without ef',
    adjusted: 'e with ef',
    curvePlain: 'Curve without ef',
    curveAdjusted: 'Curve with ef',
    note: 'Longer thread traces see more overlap and so err less; on a GPU they also mean fewer threads, which is why the paper did not take the longest. The times here are the CPU version’s on one worker.',
  },
  sample: {
    heading: 'A sample instead (SHARDS)',
    hint: 'Looks only at lines whose hash falls below a threshold and scales their distances: for streams too long to analyse whole. The band is where another sample’s curve would lie with 95 % confidence.',
    run: 'Take a sample',
    again: 'Take it again',
    done: 'The sample is analysed.',
    rate: 'Share of lines',
    took: (sampled: number, all: number, ms: number, exact: number) =>
      `${count(sampled)} of ${count(all)} accesses in ${duration(ms)}; the exact analysis took ${duration(exact)}.`,
    caption: 'Estimated miss ratios and their bounds',
    lines: 'Cache, lines',
    estimate: 'Estimated',
    bound: 'Bound, 95 %',
    exact: 'Exact',
    off: 'Actual error',
    label: 'Estimated miss-ratio curve with its bounds, beside the exact one.',
    none: 'The sample is too small to say anything: no cache of 1/rate lines or more is among the sizes.',
    within: (n: number, of: number) => `The exact ratio lies within the bound at ${n} of ${of} sizes.`,
  },
  export: {
    heading: 'Export',
    json: 'Save JSON',
    csv: 'Save CSV',
    link: 'Copy link',
    hint: 'JSON is what the terminal prints. CSV has every distance of every series. The link holds the settings and the fingerprint of the result, not your files:',
  },
  figure: { svg: 'Save SVG' },
};
