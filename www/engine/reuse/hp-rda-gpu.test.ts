import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GpuRefused } from '../web-gpu';
import { cut, type GpuRefusal, hpRdaOnGpu, largestBuffer } from './hp-rda-gpu';

const work = { addresses: Uint32Array.of(0, 1, 0), distinct: 2, st: 2, nb: 1 };

/** Runs with a browser whose `navigator.gpu` is this; gives why the GPU did not do it. */
async function refusal(gpu: unknown): Promise<string> {
  Object.defineProperty(globalThis, 'navigator', { value: { gpu }, configurable: true });
  try {
    await hpRdaOnGpu(
      work,
      () => {},
      () => false,
    );
    return 'done';
  } catch (error) {
    assert.ok(error instanceof GpuRefused, String(error));
    return (error as GpuRefused<GpuRefusal>).why;
  }
}

const limits = { maxStorageBufferBindingSize: 2 ** 27, maxBufferSize: 2 ** 28, maxStorageBuffersPerShaderStage: 8 };
const adapter = (changes: object) => ({
  requestAdapter: async () => ({
    limits,
    info: { vendor: 'v', architecture: 'a', description: '' },
    requestDevice: async () => device,
    ...changes,
  }),
});
let destroyed = 0;
const never = new Promise(() => {});
const device = {
  lost: Promise.resolve({ message: 'the driver was reset' }),
  destroy: () => (destroyed += 1),
  createBuffer: () => ({}),
  createShaderModule: () => ({ getCompilationInfo: () => never }),
};

test('every way in which there is no GPU is told apart', async () => {
  assert.equal(await refusal(undefined), 'absent');
  assert.equal(await refusal({ requestAdapter: async () => null }), 'no-adapter');
  assert.equal(await refusal(adapter({ limits: { ...limits, maxStorageBufferBindingSize: 4 } })), 'too-large');
  assert.equal(await refusal(adapter({ limits: { ...limits, maxStorageBuffersPerShaderStage: 4 } })), 'too-large');
  assert.equal(await refusal(adapter({ requestDevice: async () => Promise.reject(new Error('no')) })), 'failed');
});

test('a device that is lost under the work ends it', async () => {
  assert.equal(await refusal(adapter({})), 'lost');
  assert.equal(destroyed, 1);
});

test('a trace is cut into whole blocks', () => {
  assert.deepEqual(cut(4_000_000, 2048, 64), {
    trace: 2048,
    block: 131_072,
    fragment: 1_048_576,
    words: 64,
    chunk: 8192,
  });
  assert.equal(cut(4_000_000, 131_072, 64).fragment, 4_000_000, 'one block is the whole trace');
  assert.deepEqual(cut(100, 2048, 64), { trace: 100, block: 100, fragment: 100, words: 4, chunk: 131_072 });
  assert.equal(cut(5_000_000, 1000, 3).fragment % 3000, 0);
  assert.ok(cut(0, 16, 2).trace >= 1);
  assert.equal(largestBuffer(1000, 10, 500), 1500);
});
