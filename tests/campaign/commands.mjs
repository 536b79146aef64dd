// What the campaign runs: each command with the files that it reads, and options that fit them. A case damages a file, an option
// or both.

const TRACES = [
  'kernel-1.trc',
  'kernel-1.traceg',
  'kernel-1.trc.gz',
  'kernelslist.g',
  'mem_trace.log',
  'cutracer.ndjson',
];
const STREAMS = ['a.lackey', 'a.din', 'pinatrace.out', 'a.csv', 'stream.u64'];
const GPUS = ['own.json', 'mt4g.json', 'amd.json', 'gpgpusim.config', 'turing.csv', 'NVIDIA X - L1 Size.txt'];
const PACKED = ['traces.zip', 'kernel-1.trc.xz', 'kernel-1.trc.zst', 'piped.zip'];
const EXERCISES = ['strides', 'table-2', 'order-patterns', 'queue', 'curve', 'half-bytes', 'locked'].map(
  (id) => `${id}.json`,
);
const PROFILES = ['ncu.csv', 'nvprof.csv', 'ktt.json', 'printed.prof'];
const REPORTS = ['report-4.json', 'report-8.json'];
/** Links of every kind whose runs are short. */
const LINKS = [
  'v=1&example=vector-add',
  'https://host/lab/#v=1&example=vector-add&gpu=a100&model=gpu&state=warm&view.tab=kernel',
  'v=1&example=vector-add&seed=7&set.ways=8&set.mshrs=unlimited&result=72b2813db0399f5d4f1da2990c9f664a',
  'v=1&example=vector-add&cuda.size.n=64&base=v%3D1%26example%3Dvector-add%26model%3Dreference',
  'v=1&file=kernel-1.trc%3A120%3Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa&as.1=trc&kernels=1,3-5',
  'v=1&exercise=strides&seed=3&lang=zh',
  'v=1&example=vector-add&gpu=custom&topology=x.json%3A9%3Abbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
];

// An option's values that are right. A value with `=` has its key damaged too.
const MODELS = ['--model', ['paper', 'reference', 'gpu']];
const SET = ['--set', ['ways=8', 'cache_bytes=32768', 'mshrs=unlimited', 'latency=200', 'line_bytes=64', 'sigma=0']];
const GPU = ['--gpu', ['gtx470-16k', 'rtx3060', 'a100', 'k20c']];
const SEED = ['--seed', ['1', '9007199254740991', 'random']];
const CUDA = ['--size', ['n=64', 'N=32', 'n=1']];
const LAUNCH = ['--launch', ['scale<<<2, 32>>>(x: float[64] = random(1), n = 64)', 'all', '1']];
const FORMAT = ['--format', ['json', 'text']];

/**
 * `files`: one of them is given to a case. `second`: the file that goes with it. `options`: pairs of an option and its values.
 * `command`: the words that the program takes in place of the name. `inFolder`: the command takes the file's folder, as `folderOption` where
 * that is set. `words`: one of them is given, whole or damaged. `also`: arguments of every case. `writes`: the answer is a file, not stdout. `slow`: a case takes a second or more.
 */
export const COMMANDS = {
  cache: {
    files: ['kernel.cu', ...TRACES, ...PACKED, ...PROFILES],
    options: [
      MODELS,
      SET,
      GPU,
      SEED,
      CUDA,
      LAUNCH,
      FORMAT,
      ['--kernel', ['1', 'all', 'scale']],
      ['--state', ['cold', 'replay']],
      ['--sms', ['1', '2']],
    ],
  },
  info: {
    files: [
      'kernel.cu',
      ...TRACES,
      ...PACKED,
      ...STREAMS,
      ...GPUS,
      ...PROFILES,
      ...REPORTS,
      ...EXERCISES,
      'answers.json',
      'scenario.json',
    ],
    options: [SET, GPU, CUDA, LAUNCH, FORMAT, ['--as', ['csv', 'u64', 'trc', 'cuda', 'lackey']]],
  },
  convert: {
    files: TRACES,
    options: [['--kernel', ['1', 'all']]],
    also: (out) => ['--output', `${out}.trc`],
    writes: true,
  },
  trace: {
    files: ['kernel.cu'],
    options: [CUDA, LAUNCH, ['--budget', ['1000', '1']], ['--as', ['written', 'compiled']]],
    also: (out) => ['--output', `${out}.traceg`],
  },
  reuse: {
    files: [...STREAMS, 'kernel.cu', ...TRACES],
    options: [
      ['--line-bytes', ['64', '128', '1']],
      ['--engine', ['rank', 'offline', 'fenwick', 'hp-rda']],
      ['--threads', ['1', '2']],
      ['--sample', ['0.5', '0.01']],
      ['--st', ['16', '2048']],
      FORMAT,
    ],
  },
  merge: {
    files: ['reuse-1-of-2.part', 'sweep-1-of-2.json'],
    second: { 'reuse-1-of-2.part': 'reuse-2-of-2.part', 'sweep-1-of-2.json': 'sweep-2-of-2.json' },
    options: [FORMAT],
  },
  compare: { files: ['report-4.json'], second: { 'report-4.json': 'report-8.json' }, options: [FORMAT] },
  sweep: {
    files: ['kernel.cu', 'kernel-1.trc'],
    options: [MODELS, SET, GPU, ['--threads', ['1', '2']], ['--part', ['1/2']], ['--format', ['json', 'csv', 'text']]],
    also: () => ['--vary', 'ways=1,2'],
  },
  why: {
    files: ['kernel.cu', 'kernel-1.trc'],
    options: [
      ['--model', ['paper', 'gpu']],
      SET,
      GPU,
      ['--array', ['x', '0x7f00']],
      ['--line', ['0x7f00']],
      ['--cache-set', ['0', '3']],
      ['--at', ['1', '5']],
      ['--steps', ['3']],
      ['--class', ['compulsory', 'capacity']],
      FORMAT,
    ],
  },
  place: {
    files: ['kernel.cu', 'kernel-1.trc'],
    options: [
      ['--gpu', ['k20c', 'a100']],
      ['--top', ['3', '1']],
      ['--queue', ['lindley', 'kingman']],
      ['--without', ['queue', 'mapping']],
      ['--from', ['x=texture1d']],
      ['--rewrite', ['x=shared', 'x=constant']],
      FORMAT,
    ],
  },
  topology: { files: [...GPUS, 'ktt.json'], options: [FORMAT] },
  open: { files: ['scenario.json', 'scenario-base.json'], options: [FORMAT] },
  'open a link': { command: ['open'], files: [], words: LINKS, options: [FORMAT] },
  check: {
    files: ['titan.csv', 'gv100.csv'],
    inFolder: true,
    folderOption: '--hardware',
    options: [
      ['--rows', ['1', '2']],
      ['--half', ['first', 'second']],
      ['--only', ['titan', 'vectorAdd']],
    ],
    also: (_, r) => [`--format=${r.one(['json', 'csv', 'text', 'markdown'])}`],
  },
  'exercise list': { files: [], options: [['--lang', ['en', 'zh', 'xx']]] },
  'exercise show': {
    files: EXERCISES,
    options: [SEED, ['--lang', ['en', 'zh']]],
    flags: ['--solution'],
  },
  'exercise check': { files: EXERCISES, options: [['--seeds', ['1', '2']]], also: () => ['--seeds=1'] },
  'exercise grade': {
    files: ['answers.json'],
    inFolder: true,
    options: [['--format', ['csv', 'json']]],
  },
  'exercise lock': {
    files: [],
    words: ['42', 'two words', '-1e3', '='],
    options: [['--step', ['0.5', '1']]],
    also: () => ['--salt=a-salt-of-nine'],
  },
  discover: {
    files: [],
    slow: true,
    options: [SEED, ['--gpu', ['gtx470-16k', 'k20c', 'titan-x-pascal', 'rtx3060', 'a100']], FORMAT],
  },
  'dram-map': { files: [], options: [SEED, FORMAT], flags: ['--hashed'] },
  generate: {
    files: [],
    options: [['--n', ['100', '1']], ['--m', ['10', '1']], SEED, ['--exponent', ['1', '0.8']]],
    also: (out, r) => [
      r.one(['uniform', 'zipf', 'loop', 'matmul', 'phased']),
      '--n',
      '100',
      '--m',
      '10',
      '--output',
      `${out}.u64`,
    ],
    writes: true,
  },
  presets: { files: [], options: [], words: ['a100', 'rtx3060', 'nothing'] },
};
