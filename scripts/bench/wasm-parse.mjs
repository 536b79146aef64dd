// The readers in wasm (node, the file as it ships) beside the same readers built natively, on the same inputs in the same
// run: MB/s and their ratio. The SHA-256 of the file is left out on both sides and told for itself: the page makes it in a
// worker of its own beside the reader.
//
//   node scripts/bench/wasm-parse.mjs [FILE…]
//
// Without files the inputs of `cargo bench --bench parse` are read. Needs pkg/ (bash scripts/build/wasm.sh).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import engine from '../../tests/wasm/engine.mjs';

const CHUNK = 1 << 18;
const ROUNDS = 3;
const ASKED = 2;

/** The bench as a program: cargo builds it and tells where it lies. */
function nativeProgram() {
  const told = execFileSync('cargo', ['bench', '--bench', 'parse', '--no-run', '--message-format=json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const made = told
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return made.find((m) => m.reason === 'compiler-artifact' && m.target.name === 'parse' && m.executable).executable;
}

/** Milliseconds of one reading; `hash` is whether the reader makes the SHA-256 too. */
function read(name, bytes, hash) {
  const lab = new engine.Lab();
  const began = performance.now();
  lab.begin_file(name);
  if (!hash) lab.leave_hash();
  for (let at = 0; at < bytes.length; at += CHUNK) lab.push(bytes.subarray(at, at + CHUNK));
  lab.end_file();
  const ms = performance.now() - began;
  lab.free();
  return ms;
}

const least = (list) => Math.min(...list);
const folder = mkdtempSync(join(tmpdir(), 'warpscope-parse-'));
let missed = 0;
try {
  const program = nativeProgram();
  let files = process.argv.slice(2);
  if (files.length === 0) {
    execFileSync(program, ['--write', folder]);
    files = readdirSync(folder).map((name) => join(folder, name));
  }
  console.log('MB/s            native     wasm    ratio   | with SHA-256: native     wasm');
  for (const file of files) {
    const bytes = readFileSync(file);
    const native = () => JSON.parse(execFileSync(program, ['--time', file], { encoding: 'utf8' }));
    // In turns, so that a machine that is busy for a while slows both.
    const rounds = Array.from({ length: ROUNDS }, () => ({
      native: native(),
      plain: read(file, bytes, false),
      again: read(file, bytes, false),
      hashed: read(file, bytes, true),
    }));
    const speed = (ms) => bytes.length / ms / 1000;
    const parse = speed(1000 * least(rounds.map((r) => r.native.parse_s)));
    const both = speed(1000 * least(rounds.map((r) => r.native.hashed_s)));
    const wasm = speed(least(rounds.flatMap((r) => [r.plain, r.again])));
    const wasmBoth = speed(least(rounds.map((r) => r.hashed)));
    const ratio = parse / wasm;
    if (ratio > ASKED) missed += 1;
    const column = (n, width) => n.toFixed(0).padStart(width);
    console.log(
      `${basename(file).padEnd(13)}${column(parse, 9)}${column(wasm, 9)}${ratio.toFixed(2).padStart(9)}   |${column(both, 21)}${column(wasmBoth, 9)}`,
    );
  }
  console.log(
    `asked: native ÷ wasm at most ${ASKED} each, SHA-256 left out on both sides; ${missed === 0 ? 'held' : `${missed} missed`}`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = missed > 0 ? 1 : 0;
