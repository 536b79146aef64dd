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
const GPUS = ['gpgpusim.config', 'turing.csv', 'NVIDIA X - L1 Size.txt'];
const PROFILES = ['ncu.csv', 'nvprof.csv', 'ktt.json', 'printed.prof'];
const REPORTS = ['report-4.json', 'report-8.json'];

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
 * `also`: arguments of every case. `writes`: the answer is a file, not stdout. `slow`: a case takes a second or more.
 */
export const COMMANDS = {
  cache: {
    files: ['kernel.cu', ...TRACES, ...PROFILES],
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
    files: ['kernel.cu', ...TRACES, ...STREAMS, ...GPUS, ...PROFILES, ...REPORTS],
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
  discover: { files: [], slow: true, options: [SEED, ['--gpu', ['gtx470-16k', 'a100']], FORMAT] },
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
