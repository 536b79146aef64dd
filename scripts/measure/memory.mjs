// Is the memory estimate true? Writes large .traceg files by the grammar, runs `info` and `cache` on them, and compares the
// peak of the program's memory (VmHWM, less that of the idle program) with what `info` says before.
//
//   node scripts/measure/memory.mjs [size in MB, default 1000] [kinds, default stream,gather,reuse,mixed] [--gpu …]
//
// What follows the kinds goes to both programs: a GPU, `--set`, `--warm`.
//
// Needs Linux and a release build (cargo build --release -p warpscope-cli).

import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from './large-trace.mjs';

const program = join(process.env.CARGO_TARGET_DIR ?? 'target', 'release', 'warpscope');
const megabytes = Number(process.argv[2] ?? 1000);
const kinds = (process.argv[3] ?? 'stream,gather,reuse,mixed').split(',');
const settings = process.argv.slice(4);
const ASKED = 0.2;

/** Runs the program; its output, and the peak of its memory in bytes. */
function run(args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let peak = 0;
  let text = '';
  const look = () => {
    try {
      const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
      if (found) peak = Math.max(peak, Number(found[1]) * 1024);
    } catch {
      // It has ended.
    }
  };
  // The peak only rises, so looking often enough to catch the last look before the end is enough.
  const timer = setInterval(look, 3);
  child.stdout.setEncoding('utf8').on('data', (part) => (text += part));
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (code) => {
      clearInterval(timer);
      if (code === 0) done({ text, peak });
      else failed(new Error(`${args.join(' ')} ended with ${code}`));
    });
  });
}

/** The peak of the program that waits for the first byte of a file, and then reads a short one. */
async function idlePeak(folder) {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const running = run(['info', pipe]);
  const out = createWriteStream(pipe);
  await once(out, 'open');
  await new Promise((done) => setTimeout(done, 200));
  out.end('blocksize: 1 1 1\n0 0 0 4\n');
  return (await running).peak;
}

const mib = (bytes) => `${(bytes / 1048576).toFixed(0)} MiB`.padStart(10);
const folder = mkdtempSync(join(tmpdir(), 'warpscope-memory-'));
let missed = 0;
try {
  const idle = await idlePeak(folder);
  console.log(`idle program ${mib(idle).trim()}; asked: estimate within ${100 * ASKED} % of the peak of \`cache\`\n`);
  console.log('kind          file     peak of info  peak of cache  estimate   off    seconds');
  for (const kind of kinds) {
    const path = join(folder, `${kind}.traceg`);
    await generate(path, kind, megabytes);
    const told = await run(['info', path, '--format', 'json', ...(process.env.UNTOLD ? [] : settings)]);
    const estimate = JSON.parse(told.text).estimate.memory_bytes;
    const began = performance.now();
    const { peak } = await run(['cache', path, '--format', 'json', ...settings]);
    const seconds = (performance.now() - began) / 1000;
    const off = estimate / (peak - idle) - 1;
    if (Math.abs(off) > ASKED) missed += 1;
    console.log(
      `${kind.padEnd(8)}${mib(statSync(path).size)}    ${mib(told.peak - idle)}    ${mib(peak - idle)} ${mib(estimate)}` +
        `  ${(100 * off).toFixed(1).padStart(6)} %  ${seconds.toFixed(1).padStart(6)}`,
    );
    rmSync(path);
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = missed > 0 ? 1 : 0;
