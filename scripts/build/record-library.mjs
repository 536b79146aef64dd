// pkg/kernel -> pkg/recorded: the library's list, and the recording of the kernel that the page opens with, so that the
// first screen needs neither the texts nor the emulator.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { KernelLab, initSync, library } from '../../pkg/kernel/warpscope.js';

initSync({ module: readFileSync(new URL('../../pkg/kernel/warpscope_bg.wasm', import.meta.url)) });
const list = library();
const { id } = list[0];
const lab = new KernelLab();
lab.start(`${id}.cu`, lab.example_text(id), id, { form: 'compiled', launch: null, sizes: {}, text: null });
let run = null;
while (run === null) ({ run } = lab.step(1_000_000));
if (run.diagnostics.length > 0) throw new Error(`${id}: ${JSON.stringify(run.diagnostics)}`);

const out = new URL('../../pkg/recorded/', import.meta.url);
mkdirSync(out, { recursive: true });
writeFileSync(new URL('library.json', out), `${JSON.stringify(list)}\n`);
writeFileSync(new URL('first.recording', out), lab.recording());
