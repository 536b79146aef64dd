// The same scenario gives the same result, bit for bit: with any number of threads at the terminal, and in the page.
import { spawn } from 'node:child_process';
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

/** Scenario `index`: a run of the Cache tab by its link, a sweep, or reuse distances. */
export function scenarioOf(index, seed) {
  const r = random(seedOf(seed, 'determinism', index));
  const [kernel, name, sizes] = r.one(KERNELS);
  const size = r.one(sizes);
  const kind = ['cache', 'cache', 'cache', 'sweep', 'reuse'][index % 5];
  if (kind === 'reuse') {
    const engine = r.one(['rank', 'offline', 'fenwick']);
    const line = r.one([32, 64, 128]);
    return {
      kind,
      args: ['reuse', `example:${kernel}`, `--size=${name}=${size}`, `--line-bytes=${line}`, `--engine=${engine}`],
    };
  }
  if (kind === 'sweep') {
    const vary = r.one(['ways=1,2,4,8', 'cache_bytes=12288,24576,49152', 'line_bytes=64,128']);
    const args = ['sweep', `example:${kernel}`, `--size=${name}=${size}`, '--model=paper', `--gpu=${r.one(FERMI)}`];
    return { kind, args: [...args, `--vary=${vary}`, `--seed=${1 + r.below(1000)}`] };
  }
  const parts = [`v=1&example=${kernel}`, `cuda.size.${name}=${size}`];
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
  return { kind, link: parts.join('&'), args: ['open', parts.join('&')] };
}

function printed(program, args) {
  return new Promise((done) => {
    const child = spawn(program, [...args, '--format=json'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
    child.on('close', (status) => done({ status, out, err }));
  });
}

/** What does not depend on how long it took or by how many it was done. */
const lasting = (text) =>
  JSON.stringify(JSON.parse(text), (key, value) => (key === 'seconds' || key === 'threads' ? undefined : value));

/** Runs a scenario with each number of threads; `page` gives the fingerprint of a link there, where it is given. */
export async function sameEverywhere(program, scenario, page = null) {
  const { kind, args, link } = scenario;
  const runs = kind === 'cache' ? [[], []] : THREADS.map((n) => [`--threads=${n}`]);
  const results = [];
  for (const more of runs) results.push(await printed(program, [...args, ...more]));
  const failed = results.find(({ status }) => status !== 0);
  if (failed) return `${args.join(' ')}: ${failed.err.slice(0, 300)}`;
  const texts = results.map(({ out }) => lasting(out));
  if (texts.some((text) => text !== texts[0])) return `${args.join(' ')}: the runs differ`;
  if (!link || !page) return null;
  const { fingerprint } = JSON.parse(results[0].out).run.report;
  const there = await page(link);
  return there === fingerprint ? null : `${link}: ${fingerprint} at the terminal, ${there} in the page`;
}

/** The fingerprint that an open page gives for a link. */
export const inPage = (page) => async (link) => {
  // Another example in between, so that the same link twice is a run again.
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
