// Rank bits in wasm, as it ships, against native: ns per access on the streams of benches/reuse.rs, and the ratio.
//
//   bash scripts/build-wasm.sh && node scripts/bench-wasm-reuse.mjs
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as engine from '../pkg/rest/warpscope.js';

engine.initSync({ module: readFileSync(new URL('../pkg/rest/warpscope_bg.wasm', import.meta.url)) });
const N = 10_000_000;
const turns = 4;
const streams = [
  ['uniform', 'uniform', 0, 1_000_000],
  ['zipf 1.0', 'zipf', 1, 1_000_000],
  ['loop', 'loop', 0, 100_000],
  ['matmul', 'matmul', 0, 25_000],
  ['zipf 0.8', 'zipf', 0.8, 1_000_000],
  ['phased', 'phased', 0, 1_000_000],
];

function wasm([, pattern, exponent, m]) {
  let best = Infinity;
  for (let turn = 0; turn < turns; turn++) {
    const lab = new engine.ReuseLab();
    lab.generate(pattern, exponent, N, m, 1);
    const since = performance.now();
    while (lab.step(1 << 18).done < N);
    best = Math.min(best, performance.now() - since);
    lab.free();
  }
  return (best * 1e6) / N;
}

// Wasm before, native, and wasm after: the machine may change its pace.
const before = streams.map(wasm);
const flags = ['bench', '--quiet', '--locked', '--features', 'cli', '--bench', 'reuse', '--', '--rank-json'];
const native = JSON.parse(execFileSync('cargo', flags, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
const after = streams.map(wasm);
console.log(`N = ${N}, ns per access: wasm (simd), native, wasm / native`);
streams.forEach(([name], i) => {
  const ns = Math.min(before[i], after[i]);
  const row = [ns.toFixed(1), native[name].toFixed(1), `${(ns / native[name]).toFixed(2)}x`];
  console.log(name.padEnd(9), ...row.map((cell) => cell.padStart(8)));
});
