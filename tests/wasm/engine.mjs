// The engine exactly as it ships (pkg/engine: same glue, same optimised wasm), loaded in node.
import { readFileSync } from 'node:fs';
import * as engine from '../../pkg/engine/warpscope.js';

export const bytes = readFileSync(new URL('../../pkg/engine/warpscope_bg.wasm', import.meta.url));
const { memory: linear } = engine.initSync({ module: bytes });

/** Bytes of the module's memory. They never shrink. */
export const memory = () => linear.buffer.byteLength;

export const compiled = { form: 'compiled', launch: null, sizes: {}, text: null };

/** Calls `step` with a budget until it gives something under `key`. */
export function until(step, key) {
  for (;;) {
    const said = step(100_000);
    if (said[key]) return said;
  }
}

/** Puts together what a lab was given. */
export const finishIntake = (lab) => until((budget) => lab.intake_step(budget), 'intake').intake;

/** Has a lab take an example; gives its intake. */
export function openExample(lab, id, settings = compiled) {
  lab.set_cuda(settings);
  lab.example(id);
  return finishIntake(lab);
}

/** Has a lab read a file; gives its intake. */
export function openFile(lab, name, bytes) {
  give(lab, name, bytes);
  return finishIntake(lab);
}

/** Runs a text to its end; gives the lab that holds the run, its intake, and what the run said. */
export function runText(name, text, settings = compiled) {
  const lab = new engine.Lab();
  lab.set_cuda(settings);
  give(lab, name, new TextEncoder().encode(text));
  const { intake, text: run } = until((budget) => lab.intake_step(budget), 'intake');
  return { lab, intake, run };
}

/** Gives a file to a lab, or to any class with its methods. */
export function give(lab, name, bytes) {
  lab.begin_file(name);
  lab.push(bytes);
  lab.end_file();
}

export default engine;
