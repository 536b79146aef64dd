// The cache models in wasm (node) beside the native figures of `cargo bench --bench cache`: nanoseconds per request and
// case, and their ratio. Criterion leaves the native ones under target/criterion.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import engine, { openExample, openFile } from '../../tests/wasm/engine.mjs';

const CASES = 4;
const ROUNDS = 10;
// Folders of other benches, or of scenarios that are no more, are passed over.
const SCENARIO = /^\S+ gtx470-\d+k (paper|reference)$/;
const folder = fileURLToPath(new URL('../../tests/data/oracle/', import.meta.url));
const criterion = new URL('../../target/criterion/cache/', import.meta.url);

function loaded(name) {
  const lab = new engine.Lab();
  if (name.startsWith('example-')) {
    openExample(lab, name.slice('example-'.length));
    return lab;
  }
  openFile(lab, `${name}.trc.xz`, readFileSync(`${folder}${name}.trc.xz`));
  return lab;
}

/** Seconds and requests of one run, prepared and stepped as the page does it. */
function run(lab, gpu, model) {
  const began = performance.now();
  lab.start({ version: 1, example: null, files: [], gpu, model, seed: 1, set: {}, fingerprint: null });
  for (;;) {
    const { report } = lab.step(200_000);
    if (report)
      return { ns: 1e6 * (performance.now() - began), requests: report.kernels.reduce((n, k) => n + k.requests, 0) };
  }
}

const native = existsSync(criterion)
  ? readdirSync(criterion).filter(
      (id) => SCENARIO.test(id) && existsSync(new URL(`${id}/new/estimates.json`, criterion)),
    )
  : [];
if (native.length === 0) {
  console.error('no native figures: run `cargo bench --bench cache` first');
  process.exit(1);
}
const ratios = [];
console.log('scenario                                     native ns    wasm ns   ratio');
for (const id of native.sort()) {
  const [name, gpu, model] = id.split(' ');
  const lab = loaded(name);
  const runs = Array.from({ length: ROUNDS }, () => run(lab, gpu, model));
  const requests = runs[0].requests * CASES;
  const wasm = Math.min(...runs.map((r) => r.ns)) / requests;
  const { median } = JSON.parse(readFileSync(new URL(`${id}/new/estimates.json`, criterion), 'utf8'));
  const here = median.point_estimate / requests;
  ratios.push(wasm / here);
  console.log(
    `${id.padEnd(42)} ${here.toFixed(1).padStart(10)} ${wasm.toFixed(1).padStart(10)} ${(wasm / here).toFixed(2).padStart(7)}`,
  );
}
ratios.sort((a, b) => a - b);
console.log(`median ratio ${ratios[ratios.length >> 1].toFixed(2)}, largest ${ratios.at(-1).toFixed(2)}`);
