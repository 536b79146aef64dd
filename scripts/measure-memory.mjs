// Is the memory estimate true? Writes large .traceg files by the grammar, runs `info` and `cache` on them, and compares the
// peak of the program's memory (VmHWM, less that of the idle program) with what `info` says before.
//
//   node scripts/measure-memory.mjs [size in MB, default 1000] [kinds, default stream,gather,reuse,mixed]
//
// Needs Linux and a release build (cargo build --release --features cli).

import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = join(process.env.CARGO_TARGET_DIR ?? 'target', 'release', 'warpscope');
const megabytes = Number(process.argv[2] ?? 1000);
const kinds = (process.argv[3] ?? 'stream,gather,reuse,mixed').split(',');
const ASKED = 0.2;

/** A small generator of its own (Lehmer, 2^31 - 1), so that every run writes the same file. */
function randomizer(seed) {
  let state = seed;
  return (below) => (state = (state * 48271) % 2147483647) % below;
}

const BASE = 0x7f0000000000;
const hex = (n) => `0x${n.toString(16)}`;

/** One warp's memory line of each kind. */
const line = {
  // Coalesced, every line of the array used once.
  stream: (warp, step, next) => `0010 ffffffff 1 R2 LDG.E 1 R4 4 1 ${hex(BASE + (warp * 24 + step) * 128)} 4 0`,
  // Random words of a 16 MB array, one per lane.
  gather: (warp, step, next) => {
    const first = next(1 << 22) * 4;
    let at = first;
    const steps = [];
    for (let lane = 1; lane < 32; lane++) {
      const to = next(1 << 22) * 4;
      steps.push(to - at);
      at = to;
    }
    return `0020 ffffffff 1 R2 LDG.E 1 R4 4 2 ${hex(BASE + first)} ${steps.join(' ')} 0`;
  },
  // A small matrix that every block walks through.
  reuse: (warp, step, next) => `0030 ffffffff 1 R2 LDG.E.64 1 R4 8 1 ${hex(BASE + ((step * 32 + (warp % 8)) % 4096) * 256)} 8 0`,
};

function block(kind, number, next) {
  let text = `\n#BEGIN_TB\n\nthread block = ${number},0,0\n`;
  for (let warp = 0; warp < 8; warp++) {
    text += `\nwarp = ${warp}\ninsts = 72\n`;
    for (let step = 0; step < 24; step++) {
      const of = kind === 'mixed' ? ['stream', 'reuse', 'gather', 'stream'][step % 4] : kind;
      text += `0000 ffffffff 1 R1 IMAD.MOV.U32 3 R1 R2 R3 0 0\n${line[of](number * 8 + warp, step, next)}\n`;
      text += '0040 ffffffff 1 R6 FFMA 3 R6 R2 R3 0 0\n';
    }
  }
  return `${text}\n#END_TB\n`;
}

async function generate(path, kind) {
  const next = randomizer(2014);
  const out = createWriteStream(path, { highWaterMark: 1 << 22 });
  const limit = megabytes * 1e6;
  const blocks = Math.max(1, Math.round(limit / block(kind, 100000, randomizer(1)).length));
  out.write(
    `-kernel name = ${kind}\n-kernel id = 1\n-grid dim = (${blocks},1,1)\n-block dim = (256,1,1)\n-shmem = 0\n-nregs = 32\n` +
      '-binary version = 80\n-cuda stream id = 0\n-shmem base_addr = 0x00007e0000000000\n' +
      '-local mem base_addr = 0x00007d0000000000\n-nvbit version = 1.7\n-accelsim tracer version = 5\n-enable lineinfo = 0\n',
  );
  for (let number = 0; number < blocks; number++) {
    if (!out.write(block(kind, number, next))) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

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
    await generate(path, kind);
    const told = await run(['info', path, '--format', 'json']);
    const estimate = JSON.parse(told.text).estimate.memory_bytes;
    const began = performance.now();
    const { peak } = await run(['cache', path, '--format', 'json']);
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
