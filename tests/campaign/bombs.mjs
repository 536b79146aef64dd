// Small inputs that ask for much: archives, depth, sizes, counts, parameters. A run may take 1.5 times the memory that `info` says before, and
// what it takes without any input; an input of which nothing is said may take little.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { zip } from '../e2e/zip.mjs';
import { HANG_MS } from './campaign.mjs';
import { judge } from './judge.mjs';

/** It measures the greatest resident memory of a process that it starts. */
export const TIME = '/usr/bin/time';
export const measurable = existsSync(TIME);

const MIB = 1 << 20;
/** More than was said, at most. */
const FACTOR = 1.5;
/** What the program takes for the least input, and for one that it refuses: windows of unpackers and the input itself. */
const BASE = 160 * MIB;
/** Whatever was said. */
const MOST = 4 * 1024 * MIB;

const repeat = (text, n) => text.repeat(n);
const CUDA = (body, launch = 'k<<<1, 32>>>(x: float[32] = iota)') =>
  `// launch: ${launch}\n__global__ void k(float *x) {\n${body}\n}\n`;
const HEAD = 'blocksize: 32 1 1\n';
const zeros = (bytes) => Buffer.alloc(bytes, '0');

/** A zstd frame (RFC 8878) of blocks that repeat a byte: 4 bytes stand for 128 KiB. */
function zstdBomb(blocks) {
  const frame = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38])];
  for (let i = 0; i < blocks; i += 1) {
    const header = ((128 << 10) << 3) | (1 << 1) | (i === blocks - 1 ? 1 : 0);
    frame.push(Buffer.from([header & 255, (header >> 8) & 255, (header >> 16) & 255, 48]));
  }
  return Buffer.concat(frame);
}

/** A zip whose one deflated member unpacks to `bytes` digits. */
function zipBomb(bytes) {
  const packed = deflateRawSync(zeros(bytes));
  const archive = Buffer.from(zip([{ name: 'a.trc', content: packed }]));
  for (const [mark, at] of [
    ['PK\x03\x04', 8],
    ['PK\x01\x02', 10],
  ]) {
    const start = archive.indexOf(mark);
    archive.writeUInt16LE(8, start + at);
    archive.writeUInt32LE(bytes, start + at + 14);
  }
  return archive;
}

const nested = (n) => {
  let packed = zeros(64 * MIB);
  for (let i = 0; i < n; i += 1) packed = gzipSync(packed);
  return packed;
};

/** Doubling definitions: the last one has 2^n words. */
const laughs = (n) =>
  [
    '#define A0 1.0f +',
    ...Array.from({ length: n }, (_, i) => `#define A${i + 1} A${i} A${i}`),
    CUDA(`x[0] = A${n} 1.0f;`),
  ].join('\n');

const json = (depth) => repeat('[', depth);
const includes = '#include "self.cu"\n#include "self.cu"\n';

/** Addresses that all differ, each in a line of its own. */
const scattered = (n) => HEAD + Array.from({ length: n }, (_, i) => `${i % 32} 0 ${i * 4096} 4\n`).join('');

/**
 * Name, the file's name, its content, the command with `FILE` for the file, and the `cache` command that does the same where it is another one. A
 * command that takes what `info` describes is compared with it.
 */
const FILES = [
  ['gzip of 1 GiB', 'a.trc.gz', () => gzipSync(zeros(1024 * MIB), { level: 1 }), 'cache FILE'],
  ['gzip in gzip in gzip', 'a.trc.gz', () => nested(3), 'cache FILE'],
  ['zip of 1 GiB', 'a.zip', () => zipBomb(1024 * MIB), 'cache FILE'],
  [
    'zip of 20,000 files',
    'a.zip',
    () => zip(Array.from({ length: 20_000 }, (_, i) => ({ name: `${i}.trc`, content: HEAD }))),
    'cache FILE',
  ],
  [
    'zip in zip in zip',
    'a.zip',
    () => [1, 2, 3].reduce((inner) => zip([{ name: 'a.zip', content: inner }]), zipBomb(256 * MIB)),
    'cache FILE',
  ],
  ['zstd of 4 GiB', 'a.trc.zst', () => zstdBomb(32_768), 'cache FILE'],
  ['zstd of 4 GiB as a stream of addresses', 'a.u64.zst', () => zstdBomb(8192), 'reuse FILE --as=u64'],
  ...['cache', 'topology', 'exercise check', 'open', 'compare FILE', 'merge'].map((command) => [
    `a million brackets for ${command}`,
    'a.json',
    () => json(1_000_000),
    `${command} FILE`,
  ]),
  ['a scenario deep in scenarios', 'a.json', () => scenarioIn(10_000), 'open FILE'],
  ['a million parentheses', 'a.cu', () => CUDA(`x[0] = ${repeat('(', 1_000_000)}1`), 'cache FILE'],
  ['a million blocks', 'a.cu', () => CUDA(repeat('{', 1_000_000)), 'cache FILE'],
  ['a million signs', 'a.cu', () => CUDA(`x[0] = ${repeat('- ', 1_000_000)}1;`), 'cache FILE'],
  ['a million stars', 'a.cu', () => `__global__ void k(int ${repeat('*', 1_000_000)}a) {}`, 'cache FILE'],
  ['100,000 templates', 'a.cu', () => CUDA(`${repeat('V<', 100_000)}int${repeat('>', 100_000)} v;`), 'cache FILE'],
  ['a million sums', 'a.cu', () => CUDA(`x[0] = ${repeat('1 + ', 1_000_000)}1;`), 'cache FILE'],
  ['a million conditions', 'a.cu', () => CUDA(`x[0] = ${repeat('1 ? 1 : ', 1_000_000)}1;`), 'cache FILE'],
  ['100,000 ifs in ifs', 'a.cu', () => CUDA(`${repeat('if (x[0] > 0) ', 100_000)}x[1] = 1;`), 'cache FILE'],
  ['a text that includes itself', 'self.cu', () => includes + CUDA('x[0] = 1;'), 'cache FILE'],
  ['definitions that double', 'a.cu', () => laughs(40), 'cache FILE'],
  [
    'a chain of 100,000 definitions',
    'a.cu',
    () => `${Array.from({ length: 100_000 }, (_, i) => `#define A${i} A${i + 1}`).join('\n')}\n${CUDA('x[0] = A0;')}`,
    'cache FILE',
  ],
  [
    'an array of a gibibyte',
    'a.cu',
    () => CUDA('x[0] = 1;', 'k<<<1, 32>>>(x: char[1073741824] = random(1))'),
    'cache FILE',
  ],
  ['an array of 2^62', 'a.cu', () => CUDA('x[0] = 1;', 'k<<<1, 32>>>(x: float[4611686018427387904])'), 'cache FILE'],
  [
    'a local array of a gibibyte',
    'a.cu',
    () => CUDA('float y[268435456]; y[threadIdx.x] = 1; x[0] = y[3];'),
    'cache FILE',
  ],
  ['2^31 blocks', 'a.cu', () => CUDA('x[0] = 1;', 'k<<<2147483647, 1024>>>(x: float[32])'), 'cache FILE'],
  ['a loop without an end', 'a.cu', () => CUDA('for (;;) x[threadIdx.x] += 1;'), 'cache FILE'],
  [
    'recursion without an end',
    'a.cu',
    () => `__device__ int f(int n) { return f(n + 1); }\n${CUDA('x[0] = f(0);')}`,
    'cache FILE',
  ],
  ['a line of 64 MiB', 'a.trc', () => HEAD + repeat('9', 64 * MIB), 'cache FILE'],
  ['a million bad lines', 'a.trc', () => HEAD + repeat('x y z\n', 1_000_000), 'cache FILE'],
  ['a block of 2^48 threads', 'a.trc', () => `blocksize: 65536 65536 65536\n0 0 4096 4\n`, 'cache FILE'],
  ['threads up to 2^32', 'a.trc', () => `${HEAD}4294967295 0 4096 4\n18446744073709551615 0 4096 4\n`, 'cache FILE'],
  ['500,000 lines of their own', 'a.trc', () => scattered(500_000), 'cache FILE --model=paper'],
  ['500,000 lines on the whole GPU', 'a.trc', () => scattered(500_000), 'cache FILE --gpu=a100 --model=gpu'],
  [
    'a grid of 2^62 blocks',
    'a.traceg',
    () =>
      '-kernel name = k\n-kernel id = 1\n-grid dim = (2147483647,2147483647,65535)\n-block dim = (1024,1,1)\n-shmem = 0\n-nregs = 8\n-accelsim tracer version = 4\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 4000000000\n',
    'cache FILE',
  ],
  ['a million kernels in a list', 'kernelslist.g', () => repeat('kernel-1.traceg\n', 1_000_000), 'cache FILE'],
  [
    'a million columns',
    'a.csv',
    () => `${repeat('a,', 1_000_000)}addr\n${repeat('1,', 1_000_000)}0x10\n`,
    'reuse FILE',
  ],
  [
    'a million metrics',
    'ncu.csv',
    () =>
      `"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n${repeat('"0","k","gpu__time_duration.sum","nsecond","1"\n', 1_000_000)}`,
    'info FILE',
  ],
  ['two million addresses', 'a.u64', () => addresses(2_000_000), 'reuse FILE'],
  ['sampled at a millionth', 'a.u64', () => addresses(200_000), 'reuse FILE --sample=0.000001'],
  [
    'a mt4g file of 10^18 bytes',
    'a.json',
    () => '{"general":{"vendor":"NVIDIA","name":"x"},"memory":{"l1":{"size":{"size":1000000000000000000,"unit":"B"}}}}',
    'topology FILE',
  ],
  [
    'an exercise of a million steps',
    'a.json',
    () => exercise({ parameters: [{ name: 'stride', from: 0, to: 1e300, step: 1e-300 }] }),
    'exercise check FILE --seeds=1',
  ],
  [
    'an exercise that asks for everything',
    'a.json',
    () => exercise({}, 'v=1&example=nbody&cuda.size.n=1073741824&gpu=a100&model=gpu'),
    'exercise check FILE --seeds=1',
  ],
  [
    'an exercise of a huge cache',
    'a.json',
    () => exercise({}, 'v=1&example=vector-add&gpu=gtx470-16k&set.cache_bytes=2147483648'),
    'exercise check FILE --seeds=1',
  ],
];

const scenarioIn = (depth) => {
  const one =
    '{"version":1,"example":"vector-add","gpu":"gtx470-16k","model":"paper","seed":1,"set":{},"files":[],"base":';
  return `{"warpscope":"scenario","scenario":${repeat(one, depth)}null${repeat('}', depth + 1)}`;
};

function addresses(n) {
  const bytes = Buffer.alloc(8 * n);
  for (let i = 0; i < n; i += 1) bytes.writeBigUInt64LE(BigInt(i) * 4096n, 8 * i);
  return bytes;
}

/** The exercise of strides with other fields, and with another link to run. */
function exercise(change, link = '') {
  const from = new URL('../../crates/course/exercises/strides.json', import.meta.url);
  const whole = { ...JSON.parse(readFileSync(from, 'utf8')), ...change };
  if (link) whole.values[0].link = link;
  return JSON.stringify(whole);
}

/** Values of a parameter that ask for much. */
const LARGE = ['2147483648', '1073741824', '4294967295', '1048576', '1000000000000', '9223372036854775807', '1e300'];

/** Every parameter of a GPU at each large value. */
const parameterBombs = (run) =>
  [
    ['gtx470-16k', 'paper'],
    ['gtx470-16k', 'reference'],
    ['a100', 'gpu'],
  ].flatMap(([gpu, model]) => {
    const names = [
      ...new Set([...run('presets', gpu).matchAll(/^ {0,4}([a-z][a-z0-9_.]+)\s/gm)].map(([, name]) => name)),
    ];
    return names.flatMap((name) =>
      LARGE.map((value) => [
        `${model}: ${name}=${value}`,
        null,
        null,
        `cache example:vector-add --gpu=${gpu} --model=${model} --set=${name}=${value}`,
      ]),
    );
  });

const OTHERS = [
  [
    'a cache of 2 GiB',
    null,
    null,
    'cache example:matvec-rows --gpu=gtx470-16k --model=paper --set=cache_bytes=2147483648',
  ],
  [
    'a link to a cache of 2 GiB',
    null,
    null,
    'open v=1&example=matvec-rows&set.cache_bytes=2147483648',
    'cache example:matvec-rows --set=cache_bytes=2147483648',
  ],
  [
    'a sweep of a million runs',
    null,
    null,
    `sweep example:vector-add --vary ways=${repeat('1,', 10_000)}2 --model=paper`,
  ],
  ['n of 2^31', null, null, 'cache example:vector-add --size=n=2147483648'],
  ['n of 2^20 for a matrix', null, null, 'cache example:matmul-naive --size=n=1048576'],
  ['placements of n = 2^20', null, null, 'place example:matmul-naive --size=n=1048576'],
  ['a link of 100,000 characters', null, null, `open v=1&example=vector-add&${repeat('view.x=1&', 11_000)}a=b`],
];

/** All bombs; `run` prints what a command says. The short list leaves out what takes long to make, and most parameters. */
export function bombs(run, short) {
  const parameters = parameterBombs(run);
  if (!short) return [...FILES, ...OTHERS, ...parameters];
  const quick = (entry) => !/GiB|million|500,000|gzip in|20,000|64 MiB|everything|placements/.test(entry[0]);
  return [...FILES, ...OTHERS].filter(quick).concat(parameters.filter((_, i) => i % 97 === 0));
}

/** How a program ended, with its greatest memory in bytes. */
function execute(program, args) {
  return new Promise((done) => {
    const child = spawn(TIME, ['-q', '-f', '%M', program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const out = { stdout: '', stderr: '', timedOut: false };
    for (const stream of ['stdout', 'stderr'])
      child[stream].setEncoding('utf8').on('data', (text) => {
        if (out[stream].length < 1 << 20) out[stream] += text;
      });
    const timer = setTimeout(() => {
      out.timedOut = true;
      process.kill(-child.pid, 'SIGKILL');
    }, HANG_MS);
    child.on('close', (status, signal) => {
      clearTimeout(timer);
      const peak = Number(/(\d+)\n$/.exec(out.stderr)?.[1] ?? NaN) * 1024;
      done({ ...out, stderr: out.stderr.replace(/\d+\n$/, ''), status, signal, peak });
    });
  });
}

/** What `info` says of the input of a `cache` run, in bytes; null where it says nothing. */
async function saidOf(program, args) {
  if (args[0] !== 'cache') return null;
  const same = args.filter((arg) => !arg.startsWith('--model'));
  const info = await execute(program, ['info', ...same.slice(1), '--format=json']);
  try {
    return JSON.parse(info.stdout).estimate.memory_bytes;
  } catch {
    return null;
  }
}

/** Runs a bomb and gives what is wrong with it, or null; and its figures. */
export async function explode(program, [name, file, content, command, same = command], folder) {
  mkdirSync(folder, { recursive: true });
  const at = file && path.join(folder, file);
  if (file) writeFileSync(at, content());
  const words = (text) => text.split(' ').map((arg) => (arg === 'FILE' ? at : arg));
  const args = words(command);
  const said = await saidOf(program, words(same));
  const ended = await execute(program, args);
  rmSync(folder, { recursive: true, force: true });
  const ratio = ended.peak / ((said ?? 0) + BASE);
  const figures = { name, said, peak: ended.peak, ratio: Number(ratio.toFixed(3)), status: ended.status };
  // A message about a text of the library names that.
  const texts = [...command.matchAll(/example[:=]([\w-]+)/g)].map(([, id]) => `${id}.cu`);
  const wrong = toldHowLong(ended) ? null : judge({ ...ended, json: false, writes: false }, [file, ...texts]);
  const flaw = wrong ?? memoryFlaw(ended, ratio);
  return { ...figures, flaw, stderr: flaw ? ended.stderr.slice(0, 300) : undefined };
}

/** A run that says how long it takes was asked for what it does, and may be ended. */
const toldHowLong = ({ timedOut, stderr }) => timedOut && /about \d+ (s|min) left/.test(stderr);

/** What is wrong with the memory that a run took: `ratio` is that of its peak and what may be expected. */
export function memoryFlaw(ended, ratio) {
  // The program that measures ends with what it measures.
  if (Number.isNaN(ended.peak)) return toldHowLong(ended) ? null : 'the memory was not measured';
  if (ended.peak > MOST) return 'above 4 GiB';
  return ratio > FACTOR ? `${(ended.peak / MIB).toFixed(0)} MiB` : null;
}
