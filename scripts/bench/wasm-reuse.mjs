// Rank bits in wasm, as it ships, against native: ns per access on the streams of benches/reuse.rs, and the ratio.
//
//   bash scripts/build/wasm.sh && node scripts/bench/wasm-reuse.mjs
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as engine from '../../pkg/engine/warpscope.js';
import { scenario } from '../build/scenario.mjs';

engine.initSync({ module: readFileSync(new URL('../../pkg/engine/warpscope_bg.wasm', import.meta.url)) });
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
const flags = ['bench', '--quiet', '--locked', '--bench', 'reuse', '--', '--rank-json'];
const native = JSON.parse(execFileSync('cargo', flags, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
const after = streams.map(wasm);
console.log(`N = ${N}, ns per access: wasm (simd), native, wasm / native`);
streams.forEach(([name], i) => {
  const ns = Math.min(before[i], after[i]);
  const row = [ns.toFixed(1), native[name].toFixed(1), `${(ns / native[name]).toFixed(2)}x`];
  console.log(name.padEnd(9), ...row.map((cell) => cell.padStart(8)));
});

// Two workers as the page has them: the slowest partition and the merge, against the whole stream on one. Each is timed
// alone, as on a machine with two free cores; the stretches are handed over in pieces, as between workers.
function fed(lab, lines) {
  for (let at = 0; at < lines.length; at += 1 << 16) {
    lab.push_u32(lines.subarray(at, at + (1 << 16)));
    lab.step(1 << 16);
  }
  return lab;
}

function timed(work) {
  const since = performance.now();
  const value = work();
  return { value, ms: performance.now() - since };
}

console.log('\nN = 20 million, M = 500,000: sequential / (slowest partition + merge), median of turns');
for (const [name, exponent] of [
  ['uniform', 0],
  ['zipf', 1],
]) {
  const session = new engine.ReuseSession(0);
  session.generate(name, exponent, 20_000_000, 500_000, 1);
  while (session.step(1 << 20).generated === null);
  session.prepare(1, false, scenario());
  while (session.step(1 << 20).prepared === null);
  session.read_lines();
  const lines = session.next_u32(20_000_000);
  session.free();
  const halves = [lines.subarray(0, 10_000_000), lines.subarray(10_000_000)];
  const ratios = [];
  for (let turn = 0; turn < 5; turn++) {
    const whole = timed(() => fed(new engine.ReuseLab(), lines));
    whole.value.free();
    const parts = halves.map((half) => timed(() => fed(new engine.ReuseLab(), half)));
    // The second hands its summary over, the first absorbs it.
    const merged = timed(() => parts[0].value.merge(parts[1].value.summary()));
    parts.forEach((part) => part.value.free());
    const slowest = Math.max(...parts.map((part) => part.ms));
    ratios.push(whole.ms / (slowest + merged.ms));
    console.log(
      `${name.padEnd(8)} ${whole.ms.toFixed(0)} / (${slowest.toFixed(0)} + ${merged.ms.toFixed(0)}) ms = ${ratios[turn].toFixed(2)}x`,
    );
  }
  console.log(`${name.padEnd(8)} median ${ratios.sort((a, b) => a - b)[2].toFixed(2)}x`);
}
