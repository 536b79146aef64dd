// pkg/engine -> pkg/first: what the page shows before its engine is there. The engine that the page ships runs the first kernel
// of the library on a GPU that many people have, with all defaults; the page runs it again and compares the fingerprints.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { initSync, Lab, library } from '../../pkg/engine/warpscope.js';
import { scenario } from './scenario.mjs';

initSync({ module: readFileSync(new URL('../../pkg/engine/warpscope_bg.wasm', import.meta.url)) });

/** The widths of a chart on a screen of 1280 pixels and on a phone's of 390. */
const WIDTHS = [840, 320];
const KINDS = ['flow', 'roofline', 'cores'];
const GPU = 'rtx3060';

const lab = new Lab();
const [list, presets] = [library(), lab.presets()];
const [example, gpu] = [list[0].id, presets.find(({ id }) => id === GPU)];
const cuda = { form: 'compiled', launch: null, sizes: {}, text: null };

/** Calls `step` until it gives a value under `key`. */
function finish(step, key) {
  for (;;) {
    const said = step(1_000_000);
    if (said[key] !== null) return said;
  }
}

lab.set_cuda(cuda);
lab.example(example);
const { intake, text } = finish((budget) => lab.intake_step(budget), 'intake');
if (intake.diagnostics.length > 0) throw new Error(`${example}: ${JSON.stringify(intake.diagnostics)}`);
const first = scenario({ example, cuda, gpu: gpu.id, model: gpu.default_model, state: 'cold' });
lab.start(first);
const { report } = finish((budget) => lab.step(budget), 'report');

const out = new URL('../../pkg/first/', import.meta.url);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const write = (name, value) => writeFileSync(new URL(name, out), `${JSON.stringify(value)}\n`);
write('first.json', {
  library: list,
  presets,
  gpu: gpu.id,
  parameters: lab.parameters(gpu.id, first.model),
  intake,
  text,
  estimate: lab.estimate(first),
  report,
  link: lab.link({ ...first, fingerprint: report.fingerprint }),
});
for (const name of ['light', 'dark']) {
  const look = (width) => ({ width, dark: name === 'dark', range: [0, 1] });
  const drawn = (kind) => WIDTHS.map((width) => [width, lab.figure(0, kind, look(width))]);
  write(`${name}.json`, Object.fromEntries(KINDS.map((kind) => [kind, Object.fromEntries(drawn(kind))])));
}
