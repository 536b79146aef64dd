// Every text of the page, in one place. A second language is a second object of the type `Strings`.

import type { Diagnostic, FileId, Misses, Severity } from '../engine/types';
import { bytes, count, isolated, percent, plural, share } from './format';
import { verdictHeadline, verdictMeaning } from './verdict';

export const className: Record<keyof Misses, string> = {
  compulsory: 'compulsory',
  capacity: 'capacity',
  associativity: 'associativity',
  latency: 'latency',
  mshr: 'MSHR',
};

const en = {
  name: 'Warpscope',
  tagline: 'See what a GPU kernel’s memory accesses cost, and why they miss.',
  intro: 'Drop a memory trace or CUDA text, or pick an example.',
  promise: 'Nothing leaves your browser.',
  promiseMore:
    'Your files are read and analysed on this computer. The page’s security policy forbids it to send anything anywhere. In this browser it keeps your files (up to 128 MB), recent runs, texts that you have not run, and preferences until you choose “Forget all”.',
  skip: 'Skip to the result',
  starting: 'Starting the engine…',

  part: {
    loading: 'Loading…',
    failed: 'This could not be loaded. Check the connection.',
    again: 'Try again',
    openAll: 'Open all details',
    foldAll: 'Fold all details',
    rows: (n: number) => (n === 1 ? '1 entry' : `${count(n)} entries`),
  },

  sure: { title: 'How sure is this number?' },
  sweep: { title: 'Vary parameters', fingerprint: 'Fingerprint' },
  why: { title: 'Why this access?' },

  tabs: {
    label: 'Parts of the lab',
    names: {
      cache: 'Cache',
      kernel: 'Kernel',
      reuse: 'Reuse',
      topology: 'Topology',
      placement: 'Placement',
      learn: 'Learn',
      check: 'Self-check',
    } as Record<string, string>,
    loading: 'Loading this tab…',
    failed: 'This tab could not be loaded. Check the connection.',
    again: 'Try again',
  },

  theme: { label: 'Colours', auto: 'Auto', light: 'Light', dark: 'Dark' },

  source: {
    heading: 'Trace',
    drop: 'or drop files anywhere',
    dropNow: 'Drop to open',
    button: 'Open files…',
    which: 'Which files?',
    formats:
      'CUDA kernels (.cu). Traces: .trc, .traceg, raw .trace, kernelslist.g, NVBit mem_trace, CUTracer. GPUs: Warpscope topologies, mt4g, GPGPU-Sim. Profiles: Nsight Compute, nvprof, KTT. All of them also packed with gzip, zstd, xz or zip.',
    example: 'Example',
    text: 'Open its text',
    ownFiles: 'your files',
    none: 'choose one',
    file: (name: string, size: number) => `${isolated(name)}, ${bytes(size)}`,
    kernels: (n: number) => (n === 1 ? '1 kernel' : `${count(n)} kernels`),
    topology: (name: string) => `GPU from file: ${name}`,
    files: 'Files in use',
    more: (n: number) => `and ${count(n)} more`,
  },

  kept: {
    recent: 'Recent',
    none: 'Nothing is kept.',
    run: (gpu: string, model: string, at: Date) =>
      `${gpu}, ${model}, ${at.toLocaleString('en-GB', { dateStyle: 'short', timeStyle: 'short' })}`,
    forget: 'Forget all',
    forgotten: 'All that was kept in this browser is deleted.',
    refused: 'The browser’s storage does not answer.',
  },

  support: {
    noWasm: 'WebAssembly is switched off in this browser. Warpscope needs it to run its models on your machine.',
    noSimd: 'Warpscope needs WebAssembly SIMD: Chrome or Edge 96, Firefox 89, Safari 16.4, or anything newer.',
  },

  contents: {
    heading: 'What is in your files',
    summary: (files: number, kernels: number) =>
      `${files === 1 ? '1 file' : `${count(files)} files`}, ${kernels === 1 ? '1 kernel' : `${count(kernels)} kernels`}`,
    estimate: (memory: number, time: string) =>
      `A run takes about ${bytes(memory)} of memory${time && ` and ${time}`}.`,
    time: (ms: number) =>
      ms < 1000
        ? 'less than a second'
        : ms < 90_000
          ? `${count(Math.ceil(ms / 1000))} s`
          : `${count(Math.ceil(ms / 60_000))} min`,
    files: 'Files',
    file: 'File',
    format: 'Format',
    recognised: 'Recognised by',
    by: { content: 'its content', name: 'its name', choice: 'your choice' } as Record<string, string>,
    readAs: 'Read as',
    readAsOf: (name: string) => `Read ${name} as`,
    asItLooks: 'the recognised format',
    fits: 'Its content fits',
    others: 'Other formats',
    formats: {
      trc: 'Ocelot .trc',
      traceg: 'Accel-Sim .traceg or .trace',
      mem_trace: 'NVBit mem_trace',
      cutracer: 'CUTracer NDJSON',
      kernelslist: 'kernelslist',
      lackey: 'Valgrind lackey',
      din: 'Dinero din',
      pinatrace: 'pinatrace',
      csv: 'CSV of addresses',
      u64: '64-bit addresses',
      oracle_general: 'libCacheSim oracleGeneral',
      json: 'JSON',
      profile: 'profile',
      cuda: 'CUDA C++',
    } as Record<string, string>,
    askHeading: 'Which format is it?',
    ask: (name: string, formats: string[], now: string) =>
      `${name} could be ${formats.join(' or ')}. It was read as ${now}.`,
    askAs: (format: string) => `Read as ${format}`,
    refusedHeading: 'Files that could not be used',
    streamHeading: 'Address streams, for the Reuse tab',
    role: 'Used as',
    roles: {
      trace: 'trace',
      'address stream': 'address stream, for the Reuse tab',
      'kernels list': 'kernels list',
      topology: 'GPU',
      profile: 'profile, beside the model',
      unknown: 'nothing',
    } as Record<string, string>,
    otherGpu: 'nothing: a later GPU is used',
    size: 'Size',
    kernelCount: 'Kernels',
    skipped: 'Skipped',
    nothing: 'nothing',
    skippedItem: (what: string, line: number | null, why: string) =>
      `${line === null ? '' : `Line ${count(line)}: `}${what}: ${why}`,
    skippedCount: (n: number) => (n === 1 ? '1 item' : `${count(n)} items`),
    kernels: 'Kernels',
    run: 'Run',
    runOf: (number: number, name: string) => `Run kernel ${number}, ${name}`,
    only: 'Only this',
    onlyOf: (number: number, name: string) => `Only this: kernel ${number}, ${name}`,
    all: 'All kernels',
    chosen: (n: number, of: number) =>
      n === of ? `All ${count(of)} kernels are run.` : `${count(n)} of ${count(of)} kernels are run.`,
    kernel: 'Kernel',
    grid: 'Blocks',
    block: 'Threads per block',
    present: 'Blocks in the trace',
    threads: 'Threads',
    warps: 'Warps',
    instructions: 'Instructions',
    memoryInstructions: 'On memory',
    accesses: 'Accesses by lanes',
    accessName: (key: string) => key.replace('_', ' '),
    noAccesses: 'none',
    warm: 'Keep the caches warm from one kernel to the next',
    warmHelp: 'Off: every kernel starts with an empty L1, as on most GPUs.',
    warmReference: 'The authors’ program has no warm caches.',
    arrays: 'Arrays',
    array: 'Array',
    named: 'named',
    namedHelp: 'The files name this array: a copy to the GPU or an allocation.',
    rename: (name: string) => `Name of array ${name}`,
    renameHint: 'Type another name to use it on this page, in links and in exports.',
    base: 'Starts at',
    arraySize: 'Size',
  },

  settings: {
    heading: 'Settings',
    gpu: 'GPU',
    gpuFromFile: (name: string) => `${name} (from your file)`,
    gpuFile: 'the dropped topology',
    saveGpu: 'Save this GPU as JSON',
    schema: 'its format',
    model: 'Model',
    models: {
      gpu: 'gpu: the whole GPU',
      paper: 'paper: one L1 (HPCA 2014)',
      reference: 'reference: one L1 (the authors’ program)',
    } as Record<string, string>,
    modelHelp: {
      gpu: 'The whole GPU in cycles: schedulers, L1s, L2 and DRAM.',
      paper: 'One L1 with Fermi’s latencies, as the paper describes it: why each access misses.',
      reference: 'The same L1 as the paper’s authors programmed it, quirks included.',
    } as Record<string, string>,
    seed: 'Seed',
    drawSeed: 'Draw a seed by chance',
    run: 'Run',
    stale: 'The settings have changed since this result.',
    otherInput: (failed: boolean) =>
      `${failed ? 'The run of the new input failed' : 'The new input has no result yet'}. Below is the result from before.`,
    runAgain: 'Run with the new settings',
    advanced: 'All parameters',
    changed: (n: number) => (n === 1 ? '1 value changed' : `${count(n)} values changed`),
    reset: 'Reset',
    resetOf: (label: string) => `Reset ${label}`,
    resetAll: 'Reset all',
    changedList: 'Changed parameters',
    chip: (label: string, value: string, own: string) => `${label}: ${value}${own && ` instead of ${own}`}`,
    changedBadge: 'changed',
    changedHelp: (own: string, status: string) => `Your value. The GPU’s own is ${own} (${status}).`,
    summary: (size: number, line: number, ways: number, cores: number) =>
      [
        `L1 ${bytes(size)}`,
        `${count(line)} B lines`,
        `${plural(size / line / ways, 'set')} of ${plural(ways, 'way')}`,
        ...(Number.isFinite(cores) ? [plural(cores, 'core')] : []),
      ].join(', '),
    yes: 'yes',
    no: 'no',
    sourceOf: (source: string) => `Source: ${source}`,
    status: { official: 'official', measured: 'measured', assumed: 'assumed', option: 'switch' } as Record<
      string,
      string
    >,
    statusHelp: {
      official: 'Stated by the vendor or read from the device.',
      measured: 'Measured by somebody, who is named in the source.',
      assumed: 'Nobody measured it. The model runs with a plausible value.',
      option: 'A switch of the model, not a fact about the GPU.',
    } as Record<string, string>,
  },

  progress: {
    reading: 'Reading',
    emulating: 'Running the CUDA text',
    running: 'Simulating',
    cancelling: 'Cancelling…',
    cancel: 'Cancel',
    of: (done: number, total: number) => percent(share(done, total)),
    bytes: (done: number, total: number) => `${bytes(done)} of ${bytes(total)}`,
    left: (seconds: number) =>
      seconds < 90 ? `about ${count(Math.ceil(seconds))} s left` : `about ${count(Math.ceil(seconds / 60))} min left`,
    cancelled: 'Cancelled. The Cache tab shows the result from before.',
    cancelledEmpty: 'Cancelled.',
    firstDiffers:
      'This browser computed another result than the one that was made with the page. The page shows the new one; please report this.',
    done: (kernels: number) => `Done: ${kernels === 1 ? 'one kernel' : `${count(kernels)} kernels`} analysed.`,
  },

  memory: {
    heading: 'This run may not fit',
    text: (need: number) =>
      `It needs about ${bytes(need)} of memory, and a browser tab gets at most about 4 GiB. The terminal has no such limit:`,
    before: 'Below is still the result from before.',
    anyway: 'Run here anyway',
    copy: 'Copy the command',
    copied: 'Command copied.',
  },

  diagnostics: {
    headingRun: 'Messages',
    severity: { note: 'Note', warning: 'Warning', error: 'Error' } as Record<Severity, string>,
    place: (file: string, line: number | null) => (line === null ? file : `${isolated(file)}, line ${count(line)}`),
    expected: 'Expected',
    found: 'Found',
    help: 'What to do',
    about: 'About it',
    dismiss: 'Dismiss messages',
    kept: 'This gave nothing to run. The messages say why. The page still shows the result from before.',
    stream: (names: string) =>
      `${names}: an address stream, with no warps for the cache model to schedule. The Reuse tab gives its reuse distances and the miss ratio of every cache size.`,
    toReuse: 'Analyse it in the Reuse tab',
    keptEmpty: 'This gave nothing to run. The messages say why. Pick an example or drop another file.',
    summary: (errors: number, warnings: number) =>
      [
        errors ? `${count(errors)} ${errors === 1 ? 'error' : 'errors'}` : '',
        warnings ? `${count(warnings)} ${warnings === 1 ? 'warning' : 'warnings'}` : '',
      ]
        .filter(Boolean)
        .join(', ') || 'notes',
    show: (n: number) => (n === 1 ? '1 message' : `${count(n)} messages`),
  },

  wanted: {
    heading: (n: number) => (n === 1 ? 'This link needs a file' : `This link needs ${count(n)} files`),
    text: 'A link never carries a file. Drop it here and the run of the link is repeated.',
    item: (f: FileId) => `${plural(f.size, 'byte')}, SHA-256`,
    mismatch: 'These files are not the ones the link names:',
    missing: (f: FileId) => `${f.name} is missing.`,
    different: (f: FileId, size: number) =>
      size === f.size
        ? `${f.name} has the right size but other contents.`
        : `${f.name} has ${plural(size, 'byte')} instead of ${count(f.size)}.`,
    use: 'Use them anyway',
    example: 'Show the example instead',
    open: 'Open files…',
  },

  reproduced: {
    yes: 'Reproduced',
    yesMore: 'This run gave the very result that the link promised.',
    no: 'Not reproduced',
    noMore: 'This run gave another result than the link promised.',
    promised: 'Fingerprint in the link',
    here: 'Fingerprint of this run',
    reasons: 'Likely reasons:',
    why: [
      'the link was made by another version of Warpscope;',
      'a parameter, the seed or the GPU in the link was edited by hand;',
      'the files are not the same, although they were used anyway.',
    ],
  },

  verdict: {
    heading: 'Verdict',
    sentence: verdictHeadline,
    meaning: verdictMeaning,
    requests: 'requests',
    missRate: 'miss rate',
    perLoad: 'requests per load',
    least: 'least possible',
    fetched: 'into the L1s',
    leastBytes: 'least to move',
    latency: 'latency misses',
    ticks: 'ticks',
    of: (gpu: string, model: string) => `on ${gpu}, model “${model}”`,
    bar: (parts: string) => `All requests by outcome: ${parts}`,
    hits: 'hits',
    grid: 'grid',
    block: 'block',
  },

  kernels: {
    heading: 'Kernels',
    hint: 'Choose a kernel to see its details.',
    kernel: 'Kernel',
    grid: 'Blocks',
    block: 'Threads per block',
    requests: 'Requests',
    missRate: 'Miss rate',
    latency: 'Latency misses',
    chosen: 'shown below',
    total: (n: number, requests: number, rate: number, latency: number) =>
      `Together, ${count(n)} kernels make ${plural(requests, 'request')}; ${percent(rate)} of them miss, and a further ${percent(latency)} wait for a line on its way.`,
  },

  kinds: {
    heading: 'Kinds of miss',
    kind: 'Kind',
    attributed: 'Attributed',
    share: 'Of all requests',
    differential: 'By four runs',
    note: 'Attributed: each miss is put into one class when it happens, so hits and misses add up to the requests. By four runs: the differences between four whole runs, as in the paper. The two columns need not agree.',
    noDifferential: 'The four runs of the paper were not made for this result.',
    total: 'Requests',
  },

  histogram: {
    heading: 'Reuse distances',
    hint: 'Different lines of the set used since the line’s last use. Fewer than the ways: a hit.',
    hintProgram:
      'In the authors’ program, a distance equal to the number of ways is still a hit. In a real set it would be a miss.',
    distance: 'Reuse distance',
    requests: 'Requests',
    share: 'Share',
    upTo: 'Up to here',
    first: '∞ (first use or on its way)',
    outcome: 'In a set of this many ways',
    hit: 'hit',
    miss: 'miss',
    label: (near: number, first: number, firstMiss: number | null) =>
      `Histogram of reuse distances. ${firstMiss === null ? '' : `${percent(near)} of requests have a distance below ${firstMiss} and hit. `}${percent(first)} have an infinite distance: first uses, or lines still on their way.`,
  },

  arrays: {
    heading: 'Misses by array',
    name: 'Array',
    base: 'Starts at',
    size: 'Size',
    guessed: 'guessed',
    guessedHelp: 'The trace does not name its arrays; this one is guessed from a gap in the addresses.',
  },

  instructions: {
    heading: 'Misses by instruction',
    pc: 'PC',
    opcode: 'Instruction',
    goTo: (line: number) => `Show line ${line} of the kernel`,
    line: 'Source line',
    space: 'Space',
    width: 'Bytes per lane',
  },

  counts: {
    requests: 'Requests',
    misses: 'Misses',
    missShare: 'Of all misses',
    missRate: 'Miss rate',
    mostly: 'Mostly',
    latency: 'Latency misses',
    none: 'none',
  },

  sets: {
    heading: 'Misses by set',
    hint: 'Dark is few misses, bright is many. Even colours are good. Some bright sets among dark ones mean that many lines in use share few sets.',
    set: 'Set',
    brief: (worst: number, part: number) => `most in set ${worst}: ${percent(part)}`,
    label: (n: number, worst: number, missShare: number) =>
      `Heat map of misses over ${plural(n, 'set')}. Most misses are in set ${worst}: ${percent(missShare)} of all.`,
  },

  timeline: {
    heading: 'Misses over time',
    hint: 'Miss rate and busy MSHRs over the run.',
    tick: 'From tick',
    requests: 'Requests',
    misses: 'Misses',
    missRate: 'Miss rate',
    mshrs: 'Busy MSHRs, mean',
    label: (n: number, peak: number) =>
      `Miss rate and busy MSHRs over ${plural(n, 'span')} of time. At most ${peak.toFixed(1)} MSHRs are busy in the mean of a span.`,
  },

  cores: {
    heading: 'Misses by core',
    core: 'Core',
    ticks: 'Ticks',
    spread: (low: number, high: number, n: number) =>
      n === 1
        ? 'One core had work.'
        : `${count(n)} cores had work. Their miss rates lie between ${percent(low)} and ${percent(high)}.`,
  },

  notes: { heading: 'What this run leaves out', none: 'Nothing is noted for this run.' },

  export: {
    heading: 'Export',
    json: 'Report as JSON',
    csv: 'Report as CSV',
    svg: 'Save SVG',
    bar: 'Class bar as SVG',
    link: 'Copy link',
    copied: 'Link copied.',
    copyFailed: 'The browser did not allow copying. Here is the link:',
    linkLabel: 'Link to this result',
    saveScenario: 'Download the scenario file',
    markdown: 'Copy as Markdown',
    cite: 'Copy citation',
    linkHint: 'The link holds the settings and the fingerprint of the result, not your files.',
    gone: 'This result belongs to a stopped engine. Run again to export it.',
  },

  figure: {
    table: 'The numbers as a table',
    drawing: 'Drawing…',
    failed: 'This chart could not be drawn. The table has all its numbers.',
    gone: 'Run again to draw this chart; its engine was stopped. The table has all its numbers.',
  },

  table: {
    more: (shown: number, all: number) => `Showing ${count(shown)} of ${count(all)} rows.`,
    moreButton: (n: number) => `Show ${count(n)} more`,
    sortBy: (label: string) => `Sort by ${label}`,
    empty: 'Nothing to show.',
  },

  help: { open: 'Help and keyboard', heading: 'Help', close: 'Close' },
  term: { definition: 'Shows its definition.', more: 'Unit, formula and source' },

  crash: {
    heading: 'Something broke',
    text: 'This is a fault of Warpscope, not of your file. Nothing was sent anywhere. You can copy the details into a report, and start again.',
    engine:
      'The engine stopped or could not be started. “Start again” starts another and repeats what you asked for. The engine needs a browser with WebAssembly and module workers (any current one).',
    memory: 'The browser ran out of memory. Close other tabs, take a smaller trace, or run Warpscope at the terminal.',
    details: 'Details',
    copy: 'Copy details',
    copied: 'Details copied.',
    again: 'Start again',
  },

  problem: {
    linkFile: 'link',
    linkHelp: 'Check that the link is complete. The page shows the default example instead.',
    noTrace: 'There is nothing to run. Open a trace or pick an example.',
  },

  describe: (d: Diagnostic) =>
    `${d.file}${d.line === null ? '' : `:${d.line}`}: ${d.severity}: expected ${d.expected}, found ${d.found}${d.help ? `; ${d.help}` : ''}`,
};

export type Strings = typeof en;
export const s: Strings = en;
