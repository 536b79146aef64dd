// The two modules exactly as they ship (pkg/: same glue, same shrunk wasm), loaded in node.
import { readFileSync } from 'node:fs';
import * as first from '../../pkg/first/warpscope.js';
import * as rest from '../../pkg/rest/warpscope.js';

const module = (name) => readFileSync(new URL(`../../pkg/${name}/warpscope_bg.wasm`, import.meta.url));

export const bytes = module('first');
first.initSync({ module: bytes });
rest.initSync({ module: module('rest') });

export { rest };
export default first;
