// The model `gpu` in wasm (node) beside the native figures of `cargo bench --bench machine`: nanoseconds per warp
// instruction, their ratio, and the memory that a run takes beside the trace.
import engine, { compiled, memory, openExample } from '../../tests/wasm/engine.mjs';
import { scenario } from '../build/scenario.mjs';
import { nativeMedians, printRatios } from './native.mjs';

/** The engine's code becomes quick while it runs, so short kernels run many times. */
const ROUNDS = 5;
const LEAST_MS = 1000;

/** Nanoseconds and warp instructions of one run, stepped as the page does it. */
function run(lab, gpu) {
  const began = performance.now();
  lab.start(scenario({ gpu, model: 'gpu' }));
  for (;;) {
    const { report } = lab.step(200_000);
    if (report) {
      const instructions = report.kernels.reduce((n, kernel) => n + kernel.gpu.instructions, 0);
      return { ns: 1e6 * (performance.now() - began), instructions };
    }
  }
}

const rows = nativeMedians('machine', /^(example-\S+|matmul-tiled-512) \S+$/).map(([id, median]) => {
  const [name, gpu] = id.split(' ');
  const lab = new engine.Lab();
  if (name === 'matmul-tiled-512') openExample(lab, 'matmul-tiled', { ...compiled, sizes: { n: '512' } });
  else openExample(lab, name.slice('example-'.length));
  const before = memory();
  const began = performance.now();
  const runs = [];
  while (runs.length < ROUNDS || performance.now() - began < LEAST_MS) runs.push(run(lab, gpu));
  const { instructions } = runs[0];
  const grown = (memory() - before) / 2 ** 20;
  lab.free();
  return { id, native: median / instructions, wasm: Math.min(...runs.map((r) => r.ns)) / instructions, grown };
});
printRatios(rows);
for (const { id, grown } of rows.filter((row) => row.grown >= 1)) {
  console.log(`${id}: ${grown.toFixed(0)} MiB beside the trace`);
}
