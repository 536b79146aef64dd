// The browser floor. The engine is built once, with 128-bit SIMD: a scalar twin would double the build and the
// tests for browsers older than Chrome 91, Firefox 89 and Safari 16.4.

// (module (func (result v128) (i32x4.splat (i32.const 0))))
const simd = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, // magic, version
  1, 5, 1, 96, 0, 1, 123, // type: () -> v128
  3, 2, 1, 0, // one function of that type
  10, 8, 1, 6, 0, 65, 0, 253, 17, 11, // its body
]);

/** What a person is told when this browser cannot run the engine; null when it can. */
export function missingFeature(wasm: Pick<typeof WebAssembly, 'validate'> | undefined = globalThis.WebAssembly): string | null {
  if (!wasm) return 'This browser has WebAssembly switched off; Warpscope needs it to run its models on your machine.';
  if (!wasm.validate(simd)) {
    return 'Warpscope needs WebAssembly SIMD: Chrome or Edge 96, Firefox 89, Safari 16.4, or anything newer.';
  }
  return null;
}
