// The browser floor. The engine is built once, with 128-bit SIMD: a scalar twin would double the build and the
// tests for the few browsers older than those that the message names.

import { s as texts } from '../content/strings';

// (module (func (result v128) (i32x4.splat (i32.const 0))))
const simd = new Uint8Array([
  0,
  97,
  115,
  109,
  1,
  0,
  0,
  0, // magic, version
  1,
  5,
  1,
  96,
  0,
  1,
  123, // type: () -> v128
  3,
  2,
  1,
  0, // one function of that type
  10,
  8,
  1,
  6,
  0,
  65,
  0,
  253,
  17,
  11, // its body
]);

/** What a person is told when this browser cannot run the engine; null when it can. */
export function missingFeature(
  wasm: Pick<typeof WebAssembly, 'validate'> | undefined = globalThis.WebAssembly,
): string | null {
  if (!wasm) return texts.support.noWasm;
  if (!wasm.validate(simd)) {
    return texts.support.noSimd;
  }
  return null;
}
