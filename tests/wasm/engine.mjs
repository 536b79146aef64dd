// The modules exactly as they ship (pkg/: same glue, same shrunk wasm), loaded in node.
import { readFileSync } from 'node:fs';
import * as first from '../../pkg/first/warpscope.js';
import * as kernel from '../../pkg/kernel/warpscope.js';
import * as place from '../../pkg/place/warpscope.js';
import * as rest from '../../pkg/rest/warpscope.js';

const module = (name) => readFileSync(new URL(`../../pkg/${name}/warpscope_bg.wasm`, import.meta.url));

export const bytes = module('first');
first.initSync({ module: bytes });
rest.initSync({ module: module('rest') });
kernel.initSync({ module: module('kernel') });
place.initSync({ module: module('place') });

export const compiled = { form: 'compiled', launch: null, sizes: {}, text: null };

/** Runs a text to its end; gives the lab that holds the run, and what it said. */
export function runText(name, text, example = undefined, settings = compiled) {
  const lab = new kernel.KernelLab();
  lab.start(name, text, example, settings);
  for (;;) {
    const { run } = lab.step(100_000);
    if (run) return { lab, run };
  }
}

/** An example as the page hands it to the other modules. */
export function recordExample(id, settings = compiled) {
  return runText(`${id}.cu`, new kernel.KernelLab().example_text(id), id, settings).lab.recording();
}

/** Gives files to a lab, or to any class with its methods. */
export function give(lab, name, bytes) {
  lab.begin_file(name);
  lab.push(bytes);
  lab.end_file();
}

export { kernel, place, rest };
export default first;
