// The CUDA emulator in wasm (node) on tiled matrix multiply, beside the native figures of `cargo bench --bench kernel`: million
// lane operations per second, alone and with the cache model consuming. A lane operation is one of the 32 lanes of a bytecode
// instruction that a warp executed, whether the lane was active or not; criterion's record of the bench tells how many.
//
// "Consuming" runs the model `reference` (all four cases) on the trace where the emulator left it. Processor time counts, so that a busy machine changes it
// little; the best round is shown, since the first ones run code that the engine has not optimised yet and in memory that grows.
import { existsSync, readFileSync } from 'node:fs';
import engine, { runText } from '../../tests/wasm/engine.mjs';
import { scenario } from '../build/scenario.mjs';

const ROUNDS = 12;
const ID = 'matmul-tiled';
const FILE = `${ID}.cu`;

function run(form) {
  return runText(FILE, engine.example_text(ID), { form, launch: null, sizes: { n: '256' }, text: null }).lab;
}

function alone(form) {
  run(form).free();
}

function consumed(form) {
  const lab = run(form);
  lab.start(scenario({ gpu: 'gtx470-48k', model: 'reference' }));
  while (!lab.step(1_000_000).report);
  lab.free();
}

/** Milliseconds of processor time of the best round. */
function best(work, form) {
  const times = Array.from({ length: ROUNDS }, () => {
    const began = process.cpuUsage();
    work(form);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

const folder = new URL(`../../target/criterion/${ID}/`, import.meta.url);
const read = (form, file) => JSON.parse(readFileSync(new URL(`as ${form}/new/${file}.json`, folder), 'utf8'));
if (!existsSync(new URL('as written/new/benchmark.json', folder))) {
  console.error('no native figures: run `cargo bench --bench kernel` first');
  process.exit(1);
}
console.log('form         native     wasm   wasm with the model   (million lane operations per second)');
for (const form of ['written', 'compiled']) {
  const operations = read(form, 'benchmark').throughput.Elements;
  const native = operations / (read(form, 'estimates').median.point_estimate / 1e3);
  const rates = [alone, consumed].map((work) => operations / (best(work, form) * 1e3));
  console.log(`${form.padEnd(9)} ${[native, ...rates].map((rate) => rate.toFixed(0).padStart(9)).join('')}`);
}
