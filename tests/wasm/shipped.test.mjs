// Facts about the wasm file that the page ships.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { test } from 'node:test';
import engine, { bytes } from './engine.mjs';

test('the engine loads and names the version of package.json', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  assert.equal(engine.version(), version);
});

test("the file does not carry the builder's home directory", () => {
  assert.equal(bytes.includes(homedir()), false);
});

test('CUDA text, which the first module does not run, is named as such and refused with what to do', () => {
  const lab = new engine.Lab();
  lab.begin_file('twice.cu');
  lab.push(
    new TextEncoder().encode(
      '// launch: twice<<<1, 32>>>(x: float[32])\n__global__ void twice(float *x) { x[threadIdx.x] *= 2; }\n',
    ),
  );
  lab.end_file();
  const { kernels, diagnostics, files } = lab.finish_intake();
  assert.equal(files[0].read_as, 'cuda');
  assert.equal(kernels.length, 0);
  assert.match(diagnostics[0].help, /warpscope trace/);
});
