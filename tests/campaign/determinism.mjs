// The same scenario gives the same result, bit for bit: with any number of threads at the terminal, and in the page.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { random, seedOf } from './random.mjs';

const THREADS = [1, 2, 8];
/** Kernels of the library whose runs are short, with a size that changes them. */
const KERNELS = [
  ['vector-add', 'n', [64, 256, 1000]],
  ['matvec-rows', 'rows', [64, 256]],
  ['matvec-columns', 'rows', [64, 256]],
  ['copy-strided', 'stride', [1, 3, 8]],
  ['transpose', 'n', [32, 64]],
  ['transpose-tiled', 'n', [32, 64]],
  ['stencil', 'width', [32, 64]],
  ['gather', 'n', [256, 1000]],
  ['reduce-tree', 'n', [256, 512]],
  ['matmul-tiled', 'n', [16, 32]],
];
const FERMI = ['gtx470-16k', 'gtx470-48k'];
const LATER = ['k20c', 'gtx1080', 'v100', 'a100', 'rtx3060', 'h100', 'mi210'];

/** A run of the Cache tab by its link: twice at the terminal, and in the page. */
function cache(r) {
  const [kernel, name, sizes] = r.one(KERNELS);
  const parts = [`v=1&example=${kernel}`, `cuda.size.${name}=${r.one(sizes)}`];
  if (r.below(2) === 0)
    parts.push(`gpu=${r.one(LATER)}`, 'model=gpu', `state=${r.one(['cold', 'copies', 'replay', 'warm'])}`);
  else {
    parts.push(
      `gpu=${r.one([...FERMI, ...LATER])}`,
      `model=${r.one(['paper', 'reference'])}`,
      `seed=${1 + r.below(1e9)}`,
    );
    if (r.below(2) === 0) parts.push(`set.ways=${r.one([1, 2, 8])}`);
    if (r.below(3) === 0) parts.push(`set.mshrs=${r.one([4, 64, 'unlimited'])}`);
  }
  return { link: parts.join('&'), args: ['open', parts.join('&')] };
}

/** A sweep of one of the models. */
function sweep(r) {
  const [kernel, name, sizes] = r.one(KERNELS);
  const args = ['sweep', `example:${kernel}`, `--size=${name}=${r.one(sizes)}`];
  if (r.below(3) === 0) return { args: [...args, '--model=gpu', `--gpu=${r.one(LATER)}`, '--vary=l1_ways=1,2,4'] };
  const vary = r.one(['ways=1,2,4,8', 'cache_bytes=12288,24576,49152', 'line_bytes=64,128']);
  args.push(`--model=${r.one(['paper', 'reference'])}`, `--gpu=${r.one(FERMI)}`, `--vary=${vary}`);
  return { args: [...args, `--seed=${1 + r.below(1000)}`] };
}

/** Reuse distances. Only the engine `rank` runs on several threads. */
function reuse(r) {
  const [kernel, name, sizes] = r.one(KERNELS);
  const line = `--line-bytes=${r.one([32, 64, 128])}`;
  return { args: ['reuse', `example:${kernel}`, `--size=${name}=${r.one(sizes)}`, line, '--engine=rank'] };
}

/**
 * The kinds of scenarios: what makes one, and what varies between its runs. `threads`: the option `--threads`. `cores`: the command takes
 * all cores that the system gives it, and has no option. `page`: nothing at the terminal, and then the page. `says`: the result tells the threads.
 */
export const KINDS = {
  cache: { make: cache, varies: 'page' },
  sweep: { make: sweep, varies: 'threads' },
  reuse: { make: reuse, varies: 'threads', says: true },
  check: {
    make: (r) => ({ args: ['check', `--only=${r.one(['hpca14.table', 'ipdps12', 'docs'])}`] }),
    varies: 'cores',
  },
  grade: { make: (_, answers) => ({ args: ['exercise', 'grade', answers] }), varies: 'cores' },
};

/** Scenario `index` of a kind. `answers` is a folder of hand-ins to grade. */
export function scenarioOf(kind, index, seed, answers) {
  const { make, ...how } = KINDS[kind];
  return { kind, ...how, ...make(random(seedOf(seed, `determinism ${kind}`, index)), answers) };
}

/** What must be the same in all runs of a scenario: how the program is started, and the number of threads that it must say it had. */
const RUNS = {
  page: [{}, {}],
  threads: THREADS.map((threads) => ({ more: [`--threads=${threads}`], threads })),
  cores: [{}, { before: ['taskset', '-c', '0'] }],
};

function printed(program, args, { before = [], more = [] }) {
  return new Promise((done) => {
    const [command, ...rest] = [...before, program, ...args, ...more, '--format=json'];
    const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
    child.on('error', (error) => done({ status: null, out, err: error.message }));
    child.on('close', (status) => done({ status, out, err }));
  });
}

/** What does not depend on how long it took or by how many it was done. */
const lasting = (text) =>
  JSON.stringify(JSON.parse(text), (key, value) => (key === 'seconds' || key === 'threads' ? undefined : value));

/**
 * Runs a scenario in each way of its kind, and in the page; `page` gives the fingerprint of a link there. Gives the flaw, or null, and how
 * many results were compared with the first one.
 */
export async function sameEverywhere(program, { kind, varies, says, args, link }, page) {
  const what = `${kind}: ${args.join(' ')}`;
  const results = [];
  for (const run of RUNS[varies]) results.push({ ...run, ...(await printed(program, args, run)) });
  const failed = results.find(({ status }) => status !== 0);
  if (failed) return { compared: 0, flaw: `${what}: ${failed.err.slice(0, 300)}` };
  const other = says && results.find(({ threads, out }) => JSON.parse(out).threads !== threads);
  if (other) return { compared: 0, flaw: `${what}: --threads=${other.threads} ran on another number` };
  const texts = results.map(({ out }) => lasting(out));
  // With one core there is nothing to vary.
  const compared = varies === 'cores' && availableParallelism() === 1 ? 0 : texts.length - 1;
  if (texts.some((text) => text !== texts[0])) return { compared, flaw: `${what}: the runs differ` };
  if (!link) return { compared, flaw: null };
  const { fingerprint } = JSON.parse(results[0].out).run.report;
  const there = await page(link);
  const flaw = there === fingerprint ? null : `${link}: ${fingerprint} at the terminal, ${there} in the page`;
  return { compared: compared + 1, flaw };
}

/** The fingerprint that an open page gives for a link. */
export const inPage = (page) => async (link) => {
  // The address has no result until the page has run the link, also where the same link came before: that one has its result.
  await page.evaluate((text) => (location.hash = `#${text}`), link);
  const wanted = [...new URLSearchParams(link)].filter(([key]) => /^(example|gpu|seed|set|cuda)/.test(key));
  const found = await page
    .waitForFunction(
      (pairs) => {
        const now = new URLSearchParams(location.hash.slice(1));
        const result = now.get('result');
        return (
          pairs.every(([key, value]) => !now.has(key) || now.get(key) === value) &&
          now.get('example') === pairs[0][1] &&
          result
        );
      },
      wanted,
      { timeout: 60_000 },
    )
    .catch(() => null);
  return found?.jsonValue() ?? null;
};
