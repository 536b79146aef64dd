// Every text of the Topology tab.

import type { GpuRefusal } from '../engine/topology/gpu-chase';
import type { Diagnostic } from '../engine/types';
import { bytes, count, percent1 } from './format';

const memories: Record<string, string> = {
  l1: 'L1',
  texture: 'Texture',
  read_only: 'Read-only',
  constant_l1: 'Constant L1',
  constant_l1_5: 'Constant L1.5',
  l2: 'L2',
  l3: 'L3',
  scalar_l1: 'Scalar L1',
  shared: 'Shared memory',
  main: 'Main memory',
  level_1: 'Level 1',
  level_2: 'Level 2',
  level_3: 'Level 3',
  level_4: 'Level 4',
  level_5: 'Level 5',
  level_6: 'Level 6',
  level_7: 'Level 7',
  level_8: 'Level 8',
  all_levels: 'All levels',
};

const kinds: Record<string, string> = {
  size: 'Size',
  line_size: 'Line',
  fetch_granularity: 'Fetched at a miss',
  segment_size: 'Segment',
  latency_mean: 'Latency, mean',
  latency_p50: 'Latency, median',
  latency_p95: 'Latency, 95 %',
  latency: 'Latency',
  amount: 'Per core',
  shared_with: 'Same cache as',
  bandwidth: 'Throughput',
};

/** Where slow loads are: a distance that fewer than half of them have is chance. */
function apart(distance: [number, number] | null): string {
  if (distance === null) return '';
  const [bytesApart, share] = distance;
  if (share < 0.5) return ' They come at no regular distance, as outliers or random replacement make them.';
  return ` Slow loads are mostly ${count(bytesApart)} bytes apart (${percent1(share)}).`;
}

/** Nanoseconds with as many digits as are known. */
const ns = (value: number) => `${value < 10 ? value.toFixed(1) : count(value)} ns`;

export const t = {
  intro:
    'What a GPU’s caches look like: from tables, from measurements that you drop, from a virtual GPU whose values are hidden, and from this machine.',
  setup: 'Topology settings',
  modes: { label: 'What to do', look: 'Look', discover: 'Discover', machine: 'Measure' },
  memory: (name: string) => memories[name] ?? name,
  kind: (name: string) => kinds[name] ?? name,
  none: '–',
  working: 'Working',
  stop: 'Stop',
  stopped: 'Stopped.',
  of: (done: number, total: number) => `${percent1(total > 0 ? done / total : 0)}`,
  failed: 'The engine of this tab stopped. What it held is gone; the next action starts another.',
  messages: 'Messages',

  look: {
    heading: 'GPU',
    first: 'GPU',
    second: 'Compare with',
    nobody: 'nothing',
    held: { file: 'your file', edited: 'edited here', cpu: 'this CPU, measured', gpu: 'this GPU, measured' } as Record<
      string,
      string
    >,
    drop: 'Drop a topology (ours, mt4g’s JSON or CSV, gpgpusim.config), mt4g’s raw timing files (a folder, or a zip of it), or outputs of gpu-benches.',
    open: 'Open files…',
    gone: 'The link names a GPU that only its sender’s page had: a dropped file or a measurement. Drop the file, or choose another GPU.',
    diagram: 'Memory hierarchy',
    diagramOf: (name: string) => `Memory hierarchy of ${name}`,
    diagramHint:
      'Sizes of one instance, latency of a hit, lines. A second edge behind a box: several of it. A dashed edge: its size is assumed or unknown. Memories in one box live in one physical cache.',
    values: 'All values',
    valuesHint:
      'Official: stated by the vendor or read from the device. Measured: by somebody, who is named. Assumed: nobody measured it. A value of the board whose source begins with a generation or “any GPU” is inherited.',
    part: 'Where',
    whole: 'GPU',
    label: 'What',
    value: 'Value',
    status: 'Status',
    source: 'Source',
    statuses: { official: 'official', measured: 'measured', assumed: 'assumed' } as Record<string, string>,
    counted: (official: number, measured: number, assumed: number) =>
      `${official} official, ${measured} measured, ${assumed} assumed.`,
    comparison: 'Side by side',
    comparisonHint: (n: number, of: number) => `${count(n)} of ${count(of)} values differ.`,
    differs: 'Differs',
    yes: 'differs',
    no: 'same',
    onlyOne: 'only one has it',
    ratio: 'Second : first',
    onlyDifferent: 'Show only what differs',
  },

  measured: {
    heading: 'Recomputed from the raw timings',
    hint: 'Every value as mt4g’s JSON reports it, by mt4g’s own rule, and by ours; sizes also by the rule of the thesis. p is of a permutation test; mt4g’s confidence is not shown, because it comes near 1 on any step.',
    memory: 'Memory',
    kind: 'What',
    reported: 'mt4g reports',
    of: (memory: string, file: string) => (file ? `${memory} (${file})` : memory),
    thesis: 'Thesis’ rule',
    mt4g: 'mt4g’s rule',
    ours: 'Ours',
    interval: '95 % interval',
    p: 'p',
    d: 'D',
    agreement: 'Estimators that agree',
    agree: 'Do the rules agree?',
    agreeHint:
      'A size is the last one before the change. The rules agree if they are at most one step of the sizes apart.',
    steps: 'Steps apart',
    why: 'Why',
    whys: (why: string, rise: number) =>
      why === 'agree'
        ? 'within one step'
        : why === 'rise'
          ? `The rise to the next level has ${count(rise)} sizes, and the best splits lie within it.`
          : why === 'none'
            ? 'At least one rule finds no change.'
            : 'not explained',
    noChange: 'no change',
    noise: 'Raw noise and change point',
    noiseHint: 'The raw times of every array size, how they are reduced to one number, and where that changes.',
    curve: 'Measurement',
    reduction: 'Reduction',
    reductions: {
      cut: 'distance, delays cut (ours)',
      distance: 'distance from the smallest times',
      sliding: 'distance, least of four neighbours',
      angle: 'angle to the smallest times',
      mean: 'mean',
      rms: 'RMS above the minimum (mt4g)',
    } as Record<string, string>,
    alpha: 'α',
    times: 'Loading times',
    timesLabel: (n: number, sizes: number) =>
      `${count(n)} loading times of ${count(sizes)} array sizes: median, 5 to 95 %, least to largest.`,
    timesLegend: 'Line: median. Dark band: 5 to 95 %. Light band: least to largest.',
    reduced: 'Reduced series',
    reducedLabel: (change: number | null, interval: [number, number] | null, p: number | null) =>
      change === null
        ? `No change that is significant${p === null ? '' : ` (p = ${p.toFixed(3)})`}.`
        : `Change after ${count(change)} bytes${interval ? `, 95 % interval ${count(interval[0])} to ${count(interval[1])}` : ''}, p = ${(p ?? 1).toFixed(3)}.`,
    reducedLegend:
      'Upright line: the last size before the change. Orange band: the sizes between which the change lies at 95 %; at least one step of the sizes. Short lines from above: other estimators.',
    samples: 'Kolmogorov–Smirnov picture',
    samplesLabel: (d: number, critical: number, split: number) =>
      `Of all splits, the one after ${count(split)} bytes has the largest D: ${d.toFixed(3)}, critical ${critical.toFixed(3)} for a split chosen beforehand. It is one estimator of several, so it can lie beside the change above.`,
    samplesLegend: 'Blue: left of the split. Orange: right of it. Upright line: D, their largest distance.',
    size: 'Array size',
    least: 'Least',
    low: '5 %',
    median: 'Median',
    high: '95 %',
    most: 'Largest',
    value: 'Reduced value',
    side: 'Side',
    left: 'left',
    right: 'right',
    estimator: 'Estimator',
    estimators: {
      onset: 'foot of the rise (ours)',
      opt: 'best split (thesis)',
      max_ks: 'largest D',
      pelt: 'PELT, first change',
    } as Record<string, string>,
  },

  edit: {
    heading: 'Edit and save',
    hint: 'Change values, then save the topology or use it in the Cache tab. A message stands beside each wrong value. Until it is corrected, the page keeps the last valid topology.',
    open: 'Edit the values',
    name: 'Name',
    id: 'Identifier',
    vendor: 'Vendor',
    field: (part: string, label: string, unit: string) =>
      `${part ? `${part}, ` : ''}${label.toLowerCase()}${unit ? ` (${unit})` : ''}`,
    problem: (d: Diagnostic) => `${d.expected}; ${d.found}. ${d.help}`,
    valueOf: (label: string) => `Value: ${label}`,
    statusOf: (label: string) => `Status: ${label}`,
    sourceOf: (label: string) => `Source: ${label}`,
    remove: 'Leave out',
    removeOf: (label: string) => `Leave out: ${label}`,
    add: 'Add a value',
    choose: 'choose…',
    added: 'added on this page',
    save: 'Save as JSON',
    use: 'Use in the Cache tab',
    right: 'The topology is valid.',
    wrong: (n: number) => (n === 1 ? '1 value is wrong.' : `${n} values are wrong.`),
    reset: 'Start over',
  },

  discover: {
    heading: 'Hidden GPU',
    which: 'GPU',
    mystery: 'mystery, drawn from the seed',
    seed: 'Seed',
    another: 'Another',
    noise: 'Noise, %',
    outliers: 'Outliers, %',
    own: 'its own',
    lesson:
      'Everything about a mystery GPU is drawn from its seed, which the link carries. Measure it and answer one question at a time. To give up, let the page find out.',
    bench: 'Experiments',
    benchHint: 'Pointer chases on the hidden GPU, as on a real one: only times come out.',
    experiment: 'Experiment',
    experiments: {
      sizes: 'Arrays of growing size: how much fits?',
      walk: 'One walk, load by load: line, fetch, latency',
      sharing: 'Two threads, two arrays: one cache?',
      amount: 'Every warp against the first: how many caches per core?',
    } as Record<string, string>,
    memory: 'Loads through',
    second: 'The other thread loads through',
    from: 'First array',
    to: 'Last array',
    step: 'Step (0: four to a doubling)',
    bytes: 'Array',
    secondBytes: 'Other array',
    stride: 'Stride',
    warm: 'Warm up first',
    run: 'Measure',
    finer: (step: number) => `Measure this interval in steps of ${bytes(step)}`,
    wrongBytes: 'A size such as 4096, 24 KiB or 1 MiB.',
    walkLabel: (p50: number, slow: number | null, distance: [number, number] | null) =>
      slow === null
        ? `One kind of time, median ${p50.toFixed(0)} cycles.`
        : `Fast loads take ${p50.toFixed(0)} cycles (median); above ${slow.toFixed(0)} cycles a load is slow.${apart(distance)}`,
    walkLegend: 'Orange: slow loads. Thin line: the border between fast and slow. The first 160 loads are drawn.',
    sharesLabel: (n: number, of: number) => `${n} of ${of} are disturbed by the other thread.`,
    sharesLegend:
      'Grey: alone. Orange: beside the other thread. Above the line they disturb each other, so they share a cache.',
    address: 'Address',
    time: 'Time',
    slow: 'Slow',
    who: 'Who',
    alone: 'Alone',
    together: 'Together',
    answer: 'Your answer',
    answerHint:
      'Empty fields count as wrong. For a constant L1.5 that is larger than the constant memory, give 64 KiB.',
    answerOf: (memory: string, what: string) => `${memory}: ${what}`,
    inUnit: (what: string, unit: 'bytes' | 'cycles') => `${what}, ${unit}`,
    global: 'Global loads use the L1',
    sharedLatency: 'Latency of shared memory, cycles',
    mainLatency: 'Latency of main memory, cycles',
    reveal: 'Reveal and score',
    page: 'Let the page find out',
    revealed: (right: number, of: number) => `${right} of ${of} right`,
    byYou: 'Your answer and the truth',
    byPage: 'What the page found, and the truth',
    truthHint: (gpu: string, noise: number, outliers: number) =>
      `${gpu}; noise ${percent1(noise)}, outliers ${percent1(outliers)}.`,
    said: 'Said',
    found: 'Found',
    truth: 'Truth',
    verdict: 'Verdict',
    right: 'right',
    wrong: 'wrong',
    notScored: 'not compared',
    yes: 'yes',
    no: 'no',
    larger: (n: number) => `> ${bytes(n)}`,
    within: (low: number, high: number) => `; 95 %: ${count(low)} to ${count(high)}`,
    sweeps: 'The sweeps behind the sizes',
    sweep: 'Memory',
    outlook: 'Beyond the caches’ sizes',
    outlookHint:
      'Instruction caches: cycles per instruction of longer and longer code. TLBs: one load per page of a growing array. Throughput of a core while all read: more and more warps, until more bring no more. Parts of the L2: its size as reported, divided by its size as measured. Cores: a thread on the first core against one on each neighbour. A size is right within one step, a throughput within 5 %.',
    quantities: {
      instruction_cache: 'Instruction cache, level',
      page: 'Page',
      tlb: 'Reach of the TLB, level',
      bandwidth: 'Throughput of a core',
      l2_parts: 'Parts of the L2',
      cores_sharing: 'Cores that share an instance',
    } as Record<string, string>,
    perCycle: (value: string) => `${value} B per cycle`,
    atLeast: (value: string) => `at least ${value}`,
    between: (low: string, high: string) => `; 95 %: ${low} to ${high}`,
    sharing: 'Which memories share a cache',
    replacement: (name: string) => `replacement ${name.replace('_', ' ')}`,
  },

  machine: {
    cpu: 'This CPU',
    gpu: 'This GPU',
    heading: 'This machine',
    lesson:
      'Pointer chases on your own CPU and GPU, only when you ask for them. Both end in a topology that the other parts can use.',
    hidesHeading: 'What a browser hides',
    hides: [
      'Its clock is coarse on purpose, so single loads cannot be timed: many thousand are timed together.',
      'It does not say on which core the code runs, nor hold it there; other programs use the same caches.',
      'Physical addresses are hidden, so the edge of a cache behind the first is soft. The last level of a virtual machine is what its neighbours leave.',
      'Prefetchers cannot be switched off: far levels look faster than they are (prefetch-assisted).',
    ],
    consentCpu:
      'Times how long loads from memory take, for arrays of 4 KiB to 64 MiB (256 MiB if the curve still rises). It takes 5 to 15 seconds, twice that on a busy machine, keeps one core busy and takes as much memory as the largest array. The result resembles a fingerprint of your hardware; it stays on this page, and nothing is uploaded. You can stop it at any time.',
    consentGpu:
      'Times dependent loads in a compute shader. It takes 5 to 60 seconds and up to 64 MiB of graphics memory; the display may stutter. Each piece of work is shorter than 200 ms. The result resembles a fingerprint of your hardware; it stays on this page, and nothing is uploaded. You can stop it at any time.',
    measureCpu: 'Measure this CPU',
    measureGpu: 'Measure this GPU',
    quick: 'Quick, less exact',
    way: 'Loads through',
    ways: {
      storage: 'storage buffer, read only',
      storage_rw: 'storage buffer, read and write',
      uniform: 'uniform buffer (to 64 KiB)',
      texture: 'texture',
    } as Record<string, string>,
    lanes: 'Lanes',
    lanesOf: (n: number) => (n === 1 ? 'one (AMD may use the scalar cache)' : '32, all to the same place'),
    hidden: 'Stopped: the page went out of sight, and hidden pages run slower.',
    clockTooCoarse: (ms: number) =>
      `This browser’s clock has steps of ${Number.isFinite(ms) ? `${ms.toFixed(1)} ms` : 'no measurable length'}; above 5 ms nothing sensible can be measured, so nothing was.`,
    noMemory: 'The browser does not give 64 MiB for this measurement.',
    refused: {
      absent: 'This browser has no WebGPU. The CPU measurement and the virtual GPUs work all the same.',
      'no-adapter': 'WebGPU is there, but the browser offers no adapter.',
      'too-small': 'The adapter’s buffers are too small for a curve.',
      lost: 'The GPU was reset or taken away during the measurement.',
      failed: 'The GPU refused the work.',
      'no-clock': 'Neither timestamps nor the wall clock of this browser tell a long walk from a short one: no result.',
      'wrong-walk': 'The GPU did not visit the chain as it should: no result.',
    } satisfies Record<GpuRefusal, string>,
    software: 'software adapter, not a measurement',
    softwareHelp: 'A program plays the GPU here; its times are those of the CPU that runs it.',
    clocks: { timestamps: 'timestamp queries', wall: 'wall clock of finished work' },
    curve: (levels: number, boundaries: string[]) =>
      boundaries.length === 0
        ? 'One level: no boundary was found.'
        : `${levels} levels, boundaries at ${boundaries.join(', ')}.`,
    legend:
      'Line: least time. Grey band: up to the largest (the noise). Blue: levels. Upright lines: boundaries; orange: from 15 to 85 % of the step.',
    level: 'Level',
    beyond: 'beyond',
    bytes: 'Ends at',
    range: '15 to 85 %',
    latency: 'Time per load',
    assisted: 'prefetch-assisted',
    nanoseconds: ns,
    facts: 'How it was measured',
    tick: (ms: number) => `Step of the clock: ${ms < 0.01 ? `${(ms * 1000).toFixed(1)} µs` : `${ms.toFixed(2)} ms`}.`,
    took: (seconds: number, memory: number) => `It took ${seconds.toFixed(1)} s and ${bytes(memory)} of memory.`,
    tookGpu: (seconds: number, clock: string, longest: number) =>
      `It took ${seconds.toFixed(1)} s; clock: ${clock}; the longest timed dispatch took ${longest.toFixed(0)} ms.`,
    extended: 'The curve still rose at 64 MiB, so it goes on to 256 MiB.',
    votes: (votes: number[], line: number) =>
      `Line: ${line > 0 ? `${line} bytes` : 'no majority'} (votes: ${votes.map((v) => (v > 0 ? v : 'none')).join(', ') || 'none'}).`,
    visited: (visited: number, of: number) => `${visited} of ${of} links visited`,
    visits: 'The chain was checked through every kind of memory',
    adapter: (name: string) => `Adapter: ${name}.`,
    look: 'Look at its topology',
    sourceCpu: (date: string, seconds: number) => `pointer chase in this browser, ${date}, ${seconds.toFixed(0)} s`,
    sourceGpu: (date: string, way: string, lanes: number, adapter: string) =>
      `pointer chase by WebGPU (${way}, ${lanes} lanes) on ${adapter}, ${date}`,
    cpuName: 'CPU in this browser',
    noLevels: 'No step was found in the curve, so there is no topology. Measure again on an idle machine.',
  },
};
