import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GPU_UNROLLED, isSoftware, LANES, loadsWithin, middle, shader, WAYS } from './gpu-shader';

test('programs that play a GPU are known', () => {
  for (const info of [
    { vendor: 'google', architecture: 'swiftshader' },
    { description: 'llvmpipe (LLVM 15)' },
    { description: 'Microsoft Basic Render Driver' },
    { isFallbackAdapter: true },
  ]) {
    assert.ok(isSoftware(info), JSON.stringify(info));
  }
  for (const info of [
    { vendor: 'nvidia', architecture: 'turing' },
    { vendor: 'amd', description: 'Radeon RX 6800' },
    { vendor: 'apple', architecture: 'common-3' },
  ]) {
    assert.ok(!isSoftware(info), JSON.stringify(info));
  }
});

test('a dispatch stays within its time', () => {
  assert.equal(loadsWithin(100, 100), 1_000_000);
  assert.equal(loadsWithin(1, 1e9), GPU_UNROLLED, 'at least one group');
  assert.ok(loadsWithin(100, 0) * 0.05 <= 100e6);
});

test('one load after the other, in every way', () => {
  for (const way of WAYS) {
    for (const lanes of LANES) {
      const walk = shader(way, lanes, false);
      assert.equal(walk.split('i = chain').length + walk.split('i = textureLoad').length - 2, GPU_UNROLLED, way);
      assert.match(walk, new RegExp(`@workgroup_size\\(${lanes}\\)`));
    }
  }
});

test('median and scatter', () => {
  assert.equal(middle([5, 1, 9]).median, 5);
  assert.ok(middle([1, 1, 1, 1, 50]).spread < 0.1 && middle([-1, 8, 1, 20, 3]).spread > 0.5);
});
