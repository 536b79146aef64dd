// The three modules exactly as they ship (pkg/: same glue, same shrunk wasm), loaded in node.
import { readFileSync } from 'node:fs';
import * as first from '../../pkg/first/warpscope.js';
import * as kernel from '../../pkg/kernel/warpscope.js';
import * as rest from '../../pkg/rest/warpscope.js';

const module = (name) => readFileSync(new URL(`../../pkg/${name}/warpscope_bg.wasm`, import.meta.url));

export const bytes = module('first');
first.initSync({ module: bytes });
rest.initSync({ module: module('rest') });
kernel.initSync({ module: module('kernel') });

export { kernel, rest };
export default first;
