// The cache models in wasm (node) beside the native figures of `cargo bench --bench cache`: nanoseconds per request and
// case, and their ratio. Criterion leaves the native ones under target/criterion.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import engine, { openExample, openFile } from '../../tests/wasm/engine.mjs';
import { scenario } from '../build/scenario.mjs';
import { nativeMedians, printRatios } from './native.mjs';

const CASES = 4;
const ROUNDS = 10;
const folder = fileURLToPath(new URL('../../tests/data/oracle/', import.meta.url));

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
  lab.start(scenario({ gpu, model }));
  for (;;) {
    const { report } = lab.step(200_000);
    if (report)
      return { ns: 1e6 * (performance.now() - began), requests: report.kernels.reduce((n, k) => n + k.requests, 0) };
  }
}

const rows = nativeMedians('cache', /^\S+ gtx470-\d+k (paper|reference)$/).map(([id, median]) => {
  const [name, gpu, model] = id.split(' ');
  const lab = loaded(name);
  const runs = Array.from({ length: ROUNDS }, () => run(lab, gpu, model));
  const requests = runs[0].requests * CASES;
  return { id, native: median / requests, wasm: Math.min(...runs.map((r) => r.ns)) / requests };
});
printRatios(rows);
