// The engine exactly as it ships (pkg/: same glue, same shrunk wasm), loaded in node.
import { readFileSync } from 'node:fs';
import * as engine from '../../pkg/warpscope.js';

export const bytes = readFileSync(new URL('../../pkg/warpscope_bg.wasm', import.meta.url));
engine.initSync({ module: bytes });

export default engine;
