// Every text of the Placement tab.

import type { BitKind, DramScore, Memory, PlaceLine, SampleTime } from '../engine/placement/types';
import { bytes, count, percent, percent1, plural } from './format';
import { time } from './gpu-numbers';
import { placementChanges } from './placement-changes';
import { counts } from './placement-counts';
import { asCount, asDifference, asMask, withNumbers } from './placement-numbers';

const memories: Record<Memory, string> = {
  global: 'global',
  texture1d: '1D texture',
  texture2d: '2D texture',
  constant: 'constant',
  shared: 'shared',
};
const THIN = '\u202f';

/** Arrays that have moved, by the memory that they are in now. */
function grouped(names: string[], line: Pick<PlaceLine, 'placement'>, from: Memory[]): [Memory, string[]][] {
  const groups = new Map<Memory, string[]>();
  line.placement.forEach((memory, i) => {
    if (memory !== from[i]) groups.set(memory, [...(groups.get(memory) ?? []), names[i] ?? String(i)]);
  });
  return [...groups];
}

/** "A, B → constant; C → 1D texture". An array can be called `in`. */
function movesText(names: string[], line: Pick<PlaceLine, 'placement'>, from: Memory[]): string {
  return grouped(names, line, from)
    .map(([memory, arrays]) => `${arrays.join(', ')} → ${memories[memory]}`)
    .join('; ');
}

/** "“A” and “B” in constant memory; “C” in 1D texture". */
function movesSentence(names: string[], line: PlaceLine, from: Memory[]): string {
  const where = (memory: Memory) => `${memories[memory]}${memory.startsWith('texture') ? '' : ' memory'}`;
  const moves = grouped(names, line, from).map(
    ([memory, arrays]) => `${listed(arrays.map((name) => `“${name}”`))} in ${where(memory)}`,
  );
  return moves.join('; ');
}

function listed(words: string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const cycles = (n: number) => `${count(n)}${THIN}cycles`;
const microseconds = (us: number) => time(us * 1e-6);
const nanoseconds = (n: number) => `${n > 0 && n < 10 ? n.toFixed(1) : count(n)}${THIN}ns`;
/** A change of a time: −12.3 %. */
const change = (ratio: number) =>
  Math.abs(ratio) < 0.0005 ? `0${THIN}%` : `${ratio > 0 ? '+' : ''}${percent1(ratio)}`;
/** The same in a sentence. */
const against = (ratio: number) => (Math.abs(ratio) < 0.0005 ? 'as now' : `${change(ratio)} against now`);
const times = (ratio: number) => `${ratio < 10 ? ratio.toFixed(ratio < 2 ? 2 : 1) : count(ratio)} times`;

/** Where the placements were measured that the accuracy is told of. */
const MEASURED = 'NVIDIA GeForce RTX 2080 Ti';
const measured = (gpu: string) =>
  gpu === MEASURED ? `Measured on this GPU:` : `No placements were measured on the ${gpu}. Measured on an RTX 2080 Ti:`;

/** The time on the whole GPU, or by the equations where it did not run there. */
function machineTime(line: PlaceLine): string {
  return line.machine_microseconds === null
    ? `${cycles(line.cycles)} (${microseconds(line.microseconds)})`
    : microseconds(line.machine_microseconds);
}

export const p = {
  intro:
    'Where should each array live? Equations rank every legal placement; the best of them run on the model “gpu” in its state “copies”. The model of Huang & Li (CLUSTER’17) is there as printed, too.',
  setup: 'Placement settings',
  modes: { label: 'What to do', arrays: 'Arrays', memory: 'Memory mapping' },
  memory: (name: Memory) => memories[name],
  none: '–',
  progress: {
    reading: 'Reading',
    preparing: 'Preparing',
    sampling: 'Running the sample on the whole GPU',
    searching: 'Searching',
    judging: 'Running the best on the whole GPU',
    looking: 'Computing the details',
    training: 'Training',
    changing: 'Running other changes',
    evaluated: (done: number, total: number, best: number | null) =>
      `${count(done)} of ${count(total)}${best === null ? '' : `, best ${cycles(best)}`}`,
    cancelled: 'Cancelled.',
    kept: (evaluated: number) => `Cancelled after ${plural(evaluated, 'placement')}. The best so far is kept.`,
    done: (evaluated: number) => `Done: ${plural(evaluated, 'placement')} evaluated.`,
  },
  source: {
    open: 'Open files…',
    formats:
      'Traces as in the Cache tab. Here also: a CSV of measured times (columns kernel, placement, time_us), or coefficients of the overlap as JSON.',
    none: 'No trace yet: choose an example in the Cache tab, or drop a trace.',
    example: 'Example',
    files: 'your files',
  },
  setting: {
    heading: 'Kernel and GPU',
    kernel: 'Kernel',
    heaviest: (name: string) => `most accesses (${name})`,
    gpu: 'GPU',
    sameGpu: (name: string) => `as in the Cache tab (${name})`,
    model: 'Equations',
    models: { default: 'ours, and the whole GPU', paper: 'Huang & Li (CLUSTER’17), as printed' },
    modelHelp: {
      default:
        'Our equations choose which placements run on the model of the whole GPU, whose times rank them. T follows from chains of waits and from resources.',
      paper:
        'Equations 1 to 19 as printed predict every placement from the measured time of the present one. Nothing but the sample runs on the model of the whole GPU. Choose the K80 for the service times and address bits of the paper.',
    },
    queue: 'Queue at memory banks',
    queues: {
      own: (name: string) => `the model’s own (${name})`,
      lindley: 'Lindley, exact',
      kingman: 'Kingman',
      klb: 'Krämer–Langenbach-Belz',
      'kingman-linear': 'Kingman without squares',
      seed: 'as printed',
    } as { own: (name: string) => string } & Record<string, string | ((name: string) => string)>,
    without: 'Leave out',
    withoutHint: 'The paper’s ablations (Figures 7 to 9): what each part of the model changes.',
    parts: { counting: 'instruction counting', queue: 'queue and row buffers', mapping: 'address mapping' },
    partHelp: {
      counting: 'Replays and address arithmetic stay as in the trace.',
      queue: 'Main memory takes the same time for every request.',
      mapping: 'Requests go to all banks in turn, whatever their address.',
    },
    cacheParameters: 'Parameters that you changed in the Cache tab belong to its model. They do not change this one.',
    rerun: 'Search again',
    advanced: 'Model',
  },
  printed: {
    sample: 'Measured of the present placement',
    sampleHint:
      'The paper predicts from the time and the counters of a sample. Without a time, the model of the whole GPU supplies it, and the answer says so. Counters are of the whole launch.',
    measured: {
      time_us: 'Time, µs',
      inst_executed: 'Executed warp instructions (inst_executed)',
      inst_issued: 'Issued warp instructions (inst_issued)',
      static_constants: 'Constant memory that the module keeps, bytes',
    },
    open: 'Where the paper is open',
    openHint: 'These are assumptions, and the notes name them.',
    rule: 'Overlap (equations 11, 12)',
    rules: {
      own: 'trained coefficients if there are any, else the sample’s',
      sample: 'the sample’s ratio holds, without training',
      trained: 'equation 11 with trained coefficients',
      'sample+trained': 'the sample’s ratio and the difference by equation 11',
      sim: 'that of Sim et al. (PPoPP’12)',
    },
    gamma: 'Γ of a barrier (equation 16)',
    gammaHint:
      'Empty: 0, which leaves barriers out. Sim et al. have 64 for Fermi; with it barriers take longer than whole kernels. Nobody published it for Kepler.',
    cycle: 'An instruction between two arrivals takes a cycle, and not the EIT',
  },
  verdict: {
    heading: 'Best placement',
    /** Of several that tie. */
    recommended: 'Recommended placement',
    reproduced: 'reproduced',
    reproducedMore: 'The link’s fingerprint is this ranking’s.',
    not: 'Not what the link promised: its fingerprint is of another ranking. The file, the GPU or the settings may differ, or it was made by another version.',
    stay: 'Leave the arrays where they are: no other placement is predicted to be faster.',
    /** The ranking goes on with placements that only the equations know, and these may seem faster. */
    stayRun: 'Leave the arrays where they are: no other placement that ran on the model of the whole GPU is faster.',
    stayTie: (names: string[], line: PlaceLine, from: Memory[], saved: number) =>
      `Cannot tell: ${movesSentence(names, line, from)} is predicted to take ${percent1(saved)} less time, which is within the model’s error. Leave the arrays where they are, or measure it.`,
    sentence: (names: string[], line: PlaceLine, from: Memory[], speedup: number) =>
      `Put ${movesSentence(names, line, from)}: predicted to be about ${times(speedup)} as fast as now.`,
    soFar: (names: string[], line: PlaceLine, from: Memory[], speedup: number) =>
      speedup > 1
        ? `So far, the fastest is ${movesSentence(names, line, from)}: about ${times(speedup)} as fast as now.`
        : 'So far, nothing is faster than now.',
    stopped: 'The search was stopped.',
    counted: {
      searching: (done: number, total: number) => `Evaluated: ${count(done)} of ${plural(total, 'placement')}.`,
      judging: (done: number, total: number) =>
        `${count(done)} of ${plural(total, 'placement')} ran on the model of the whole GPU.`,
      stopped: (evaluated: number, ran: number) =>
        `Evaluated: ${plural(evaluated, 'placement')}; ${count(ran)} ran on the model of the whole GPU.`,
    },
    /** `other`: the state that the Cache tab has. `known`: its time is there, and is another. */
    state: (other: { state: string; known: boolean } | null) =>
      `caches as the host’s copies leave them (state “copies”)${other === null ? '' : `; the Cache tab ${other.known ? 'has' : 'may have'} another time because its state is “${other.state}”`}`,
    sample: ({ microseconds: us, simulated }: SampleTime) =>
      simulated
        ? `Predicted from the present placement’s ${microseconds(us)} on the model of the whole GPU. Nothing was measured.`
        : `Predicted from the present placement’s ${microseconds(us)}, as you measured it.`,
    facts: {
      best: 'Predicted time',
      now: 'As in the trace',
      legal: 'Legal placements',
      evaluated: 'Evaluated',
      search: 'Search',
      chance: 'Chance to be the fastest',
      ties: 'Ties with the best',
    },
    exact: 'exact: nothing is left that could be better by the equations',
    gap: (gap: number) => `by the equations the best there is takes at most ${percent1(gap / (1 + gap))} less`,
    open: 'not finished: nothing is certain',
    unknown: 'too many to look at each',
    of: (legal: number, nominal: number) =>
      legal === nominal ? count(legal) : `${count(legal)} of ${count(nominal)} combinations`,
    ties: (n: number) => (n === 1 ? 'none' : `${count(n - 1)} more within the model’s noise`),
    /** `fastest`: another one of them with the shortest predicted time. */
    tiesHint: (n: number, fastest: PlaceLine | null, names: string[], from: Memory[]) =>
      `${count(n)} placements are so close that the model cannot tell which is fastest. Of them, this one moves fewest arrays.${fastest ? ` The shortest time is predicted for ${movesSentence(names, fastest, from)}: ${machineTime(fastest)}.` : ''}`,
    chance: (own: number, ties: PlaceLine[]) => {
      const all = ties.reduce((sum, line) => sum + (line.chance ?? 0), 0);
      return ties.length > 1
        ? `${percent(own)}; one of the ${count(ties.length)} that tie: ${percent(all)}`
        : percent(own);
    },
    took: (ms: number, workers: number) =>
      `in ${ms < 1000 ? `${count(ms)}${THIN}ms` : `${(ms / 1000).toFixed(2)}${THIN}s`}, ${workers === 1 ? 'one worker' : `${workers} workers`}`,
    time: machineTime,
  },
  sure: {
    heading: 'Accuracy',
    hardware: (gpu: string) =>
      `The best placements ran on the model of the whole GPU, each as your text rewritten for it, or as the trace with its arrays moved if there is no text. The rest of the ranking is by the equations alone. ${measured(gpu)} on placements of a matrix product its choice from one trace was 5 % slower than the best on average, and half of its times were less than 20 % off.`,
    printed:
      'This is the model as printed, for reading the paper with your own kernel. It is no better than its sample: its times of placements far from the sample are rough. The page “Placement” of the documentation has its errors.',
    trained: (error: number, untrained: number, rows: number, kernels: number) =>
      `On ${count(rows)} placements of ${count(kernels)} kernels, each kernel predicted without its own times, the mean error is ${percent(error)}, and ${percent(untrained)} without training.${
        error < untrained ? '' : ' So the training does not help here: choose the sample’s ratio above.'
      }`,
    provenance: (text: string) => `Overlap: ${text}.`,
    own: 'These are your own coefficients. The link names them; whoever opens it needs the file.',
    wanted: (name: string) =>
      `The link was made with trained coefficients (${name}) that this page does not have, so the numbers below are without them. Drop their JSON here.`,
    outside: (list: string) => `Outside what the overlap was trained on: ${list}. The prediction is a guess there.`,
    missing:
      'Not modelled: values and register dependences, instruction caches, TLBs, asynchronous copies. Padding and other changes of the code are not in the ranking; of a text they can be tried below it.',
    retrain: 'Train equation 11 of the printed model',
    retrainHint:
      'Drop a CSV with the columns kernel, placement (such as “A=global B=texture1d”) and time_us, of at least 15 rows and 3 kernels whose traces are loaded, with the present placement of each. Or let the model of the whole GPU give the times of at least 3 loaded kernels. The printed model uses the coefficients at once.',
    machine: 'Train on the whole-GPU model',
    pick: 'Choose a CSV or JSON…',
    save: 'Save coefficients as JSON',
    forget: 'Use no coefficients',
    trainedNow: (rows: number, kernels: number, error: number) =>
      `Trained on ${count(rows)} rows of ${count(kernels)} kernels; mean error on kernels left out ${percent(error)}.`,
    read: 'The coefficients are in use.',
    columns: {
      expected: 'the columns `kernel`, `placement` and `time_us`',
      help: 'name them so, with one line for each placement, such as “A=global B=texture1d”',
    },
  },
  matrix: {
    heading: 'Arrays and memories',
    hint: 'How the predicted time changes when this array alone moves there; “eq.”: by the equations alone. Choose one memory per row.',
    equations: 'eq.',
    equationsHelp: 'By the equations. This placement did not run on the whole GPU.',
    array: 'Array',
    now: 'Now in',
    nowOf: (name: string) => `Where the trace has ${name}`,
    nowBadge: 'now',
    bestBadge: 'best',
    keepBadge: 'keep',
    recommendedBadge: 'recommended',
    choose: (name: string, memory: Memory) => `${name} in ${memories[memory]}`,
    rename: (name: string) => `Name of array ${name}`,
    size: (n: number, element: number) => `${bytes(n)}, elements of ${bytes(element)}`,
    /** Nothing tells the equations how long the rows of a 2D texture are. They guess it. */
    width: (width: number) => `as a 2D texture: the equations take rows of ${count(width)}`,
    uses: ([loads, stores, atomics]: [number, number, number]) =>
      [
        [loads, 'loads'],
        [stores, 'stores'],
        [atomics, 'atomics'],
      ]
        .flatMap(([n, what]) => (n ? [`${count(n as number)} ${what}`] : []))
        .join(', ') || 'no accesses',
    tile: ([size, phases]: [number, number]) =>
      `tile of ${bytes(size)}${phases > 1 ? `, filled ${count(phases)} times` : ''}`,
    no: 'no',
    change,
    together: 'too much together',
    guessed: 'guessed',
    guessedHelp: 'This range was guessed from gaps between addresses.',
    guessedAll:
      'The files name no arrays, so their ranges were guessed from gaps between addresses. Two arrays that lie back to back look like one. Rename them, correct the ranges, or say that they are right:',
    confirm: 'These ranges are right',
    best: 'Show the recommended one',
    asNow: 'Show the present one',
  },
  ranges: {
    heading: 'Correct the ranges',
    hint: 'One array per line: name, first byte, length in bytes. All kernels of the trace use this list.',
    label: 'Ranges of the arrays',
    use: 'Use these ranges',
    own: 'Back to the files’ ranges',
  },
  ranking: {
    heading: 'Ranking',
    hint: {
      machine: 'Bars are times on the whole GPU.',
      equations: 'Bars are times by our equations.',
      paper: 'Bars are times by the printed equations. Where computing and waiting overlap they are drawn once.',
    },
    rank: 'Rank',
    placement: 'Change',
    machine: 'On the GPU, µs',
    time: 'Equations, cycles',
    versus: 'Against now',
    comp: 'Tcomp',
    mem: 'Tmem',
    overlap: 'Toverlap',
    /** Several placements have this rank. */
    shared: (rank: number) => `${count(rank)} =`,
    recommended: 'recommended: moves the fewest arrays',
    recommendedBar: (label: string) => `${label} (recommended)`,
    chance: 'Chance',
    asNow: 'as now',
    now: 'now',
    label: (n: number, best: string) =>
      `Predicted times of the best ${count(n)} placements and the present one; best: ${best}.`,
    legend: {
      comp: 'computing alone',
      both: 'both at once (Toverlap)',
      mem: 'memory alone',
      whole: 'time by our equations',
    },
    machineLegend: { comp: 'schedulers issue', mem: 'schedulers wait, and the launch itself' },
    shown: (n: number, all: number) => (all > n ? `The best ${count(n)} of ${count(all)}; the CSV has all.` : ''),
    table: 'Placements by predicted time',
  },
  moves: movesText,
  changes: placementChanges(against, microseconds),
  look: {
    heading: (best: boolean, now: boolean) =>
      now
        ? 'The present placement in detail'
        : best
          ? 'The recommended placement in detail'
          : 'The chosen placement in detail',
    versus: (line: PlaceLine, now: PlaceLine) => {
      const versus = against(line.cycles / now.cycles - 1);
      if (now.machine_microseconds === null)
        return `${cycles(line.cycles)} (${microseconds(line.microseconds)}), ${versus}, by the equations`;
      // Their time beside one of the whole GPU would be of another clock.
      if (line.machine_microseconds === null)
        return `By the equations alone: ${cycles(line.cycles)}, ${versus} (${cycles(now.cycles)}). This placement did not run on the whole GPU.`;
      const ratio = line.machine_microseconds / now.machine_microseconds;
      return `${microseconds(line.machine_microseconds)} on the whole GPU, ${against(ratio - 1)}`;
    },
    illegal: (why: string) => `Not possible: ${why}.`,
    reasons: 'Why',
    same: 'No array has moved.',
    counts: 'What changes, by the equations',
    machineCounts: 'What changes on the whole GPU',
    machineHint: 'Cycles of schedulers are added over all of them.',
    onMachine: 'Whole GPU, now',
    twoModels:
      'Two models answer. The equations play the accesses in the order of instructions; the whole GPU plays them in time, as the Cache tab does with the model “gpu”. Where both count the same thing, the last column has the count of the whole GPU.',
    contradicted:
      'The equations have the opposite here, so their counts and banks are left out. They only choose what runs on the whole GPU.',
    before: 'Now',
    after: 'There',
    difference: 'Change',
    count: 'Count',
    counted: (key: string) => counts[key] ?? key,
    number: asCount,
    /** A sentence of the engine, as this page writes names, memories and signs. */
    reason: (text: string) =>
      withNumbers(
        text.replace(
          /^`(.+)` in (\w+) instead of (\w+) /,
          (_, name: string, to: Memory, from: Memory) =>
            `“${name}” in ${memories[to] ?? to} instead of ${memories[from] ?? from} `,
        ),
      ),
    signed: asDifference,
    all: 'Show all counts',
    allOfEquations: 'Show all of the equations’ counts',
    banks: 'Banks of main memory (equations)',
    banksHint:
      'What arrives at each bank under this placement, what it finds in the row buffer, and how long it waits. The mapping of addresses to banks is not the vendor’s, which is secret.',
    banksOff: 'The queue is left out, so there are no banks to show.',
    banksNone: 'No request reaches main memory.',
    bank: 'Bank',
    requests: 'Requests',
    hits: 'Row hits',
    misses: 'Row misses',
    conflicts: 'Row conflicts',
    utilisation: 'Busy',
    wait: 'Mean wait, ns',
    saturated: 'saturated',
    banksLabel: (requests: number, banks: number, hits: number, wait: number) =>
      `${plural(requests, 'request')} over ${plural(banks, 'bank')}, ${percent(hits)} row hits, mean wait ${nanoseconds(wait)}.`,
    banksLegend: {
      hits: 'row hits',
      misses: 'row misses',
      conflicts: 'row conflicts',
      wait: 'mean wait (line, right scale)',
    },
    snippet: 'CUDA for this placement',
    snippetHint: 'To start from. Types follow the sizes of the elements; your own code takes the place of the comment.',
    rewrittenHint: (ran: boolean) =>
      `Your file, rewritten for this placement. Constant arrays and tiles have the sizes of this launch.${
        ran ? ' This text ran on the emulator, and its time is the one above.' : ''
      }`,
    rewriteNote: (note: string) => `${capital(note)}.`,
    copy: 'Copy',
    copied: 'Copied.',
    saveCuda: 'Save .cu',
  },
  export: {
    heading: 'Export',
    link: 'Copy link',
    json: 'Save JSON',
    csv: 'Save CSV',
    hint: 'JSON is what the terminal prints for the best ten. CSV has every placement that was evaluated.',
    terminal: 'The same at the terminal:',
  },
  notes: 'Notes',
  dram: {
    intro:
      'Which bits of an address choose the bank and the row of main memory? Vendors do not say; the paper’s Algorithm 1 finds it out by timing. Here a memory with a mapping drawn by a seed answers as a GPU’s would: measure it yourself, or let the page do it.',
    heading: 'Hidden memory',
    lesson:
      'This memory answers only with latencies, as a GPU’s does. Which address bits choose the column, the bank and the row? Flip a bit and time the access: the open row is fast, an idle bank is slower, another row of a busy bank is slowest.',
    seed: 'Seed',
    another: 'Another',
    hashed: 'Banks are hashed',
    hashedHelp: 'Some bank bits are XORed with row bits: flipped alone, such a row bit looks like a bank bit.',
    page: 'Let the page find out',
    bench: 'Time pairs of accesses',
    measure: 'Measure',
    measureHint:
      'Before each of nine times all rows are closed, a random address is touched, then the same address with the bit flipped is timed. Noise 30 ns; every fiftieth access is delayed by something else.',
    with: 'Flip each bit',
    alone: 'alone',
    together: (bit: number) => `together with bit ${bit}`,
    bit: 'Bit',
    least: 'Least, ns',
    median: 'Median, ns',
    most: 'Largest, ns',
    figure: (times: { with: number | null; bits: number[] }) =>
      `Median, least and largest of nine latencies for each of ${times.bits.length} bits flipped ${times.with === null ? 'alone' : `together with bit ${times.with}`}.`,
    legend: 'Dot: median of nine. Line: least to largest; outliers reach out of the picture.',
    answer: 'Your answer',
    answerHint:
      'What is each bit for? Hashed bits are bank bits; those that enter one bank bit together are listed below.',
    kind: { column: 'column', bank: 'bank', row: 'row' } as Record<BitKind, string>,
    kindOf: (bit: number) => `What bit ${bit} is for`,
    unsaid: '?',
    groups: 'Hashed together',
    groupsHint: 'Bits joined by +, groups by commas: 12+20, 13+24',
    reveal: 'Reveal and score',
    revealed: 'The mapping',
    who: 'Who',
    column: 'Column bits',
    bank: 'Bank bits',
    row: 'Row bits',
    truth: 'the truth',
    you: 'you',
    algorithm: 'Algorithm 1',
    pairs: 'with the pair probe',
    right: 'Right',
    score: (s: DramScore) =>
      `${s.bits} of ${s.of_bits} bits${s.of_groups > 0 || s.wrong_groups > 0 ? `, ${s.groups} of ${s.of_groups} hashes${s.wrong_groups > 0 ? `, ${s.wrong_groups} wrong` : ''}` : ''}`,
    found: (plain: DramScore, pairs: DramScore) =>
      pairs.of_groups > 0
        ? `Algorithm 1 gets ${plain.bits} of ${plain.of_bits} bits right and ${plain.groups} of ${plain.of_groups} hashed banks; with the pair probe ${pairs.bits} and ${pairs.groups}.`
        : `Algorithm 1 gets ${plain.bits} of ${plain.of_bits} bits right.`,
    said: (s: DramScore) =>
      `You have ${s.bits} of ${s.of_bits} bits right${s.of_groups > 0 ? ` and ${s.groups} of ${s.of_groups} hashed banks` : ''}.`,
    explain:
      'Algorithm 1 flips single bits and cannot see hashes. The pair probe flips two bits of the bank group together: where both enter the same bank bit, the bank stays and the row changes, which only a conflict shows. No latency tells which bit of such a pair belongs to the row.',
    mask: asMask,
  },
};
