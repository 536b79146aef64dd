import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOtherKernel, kernelNames } from './kernel-names';

test('kernels are named whatever stands before their names, and in a text with errors', () => {
  const text = `
    template <typename T> __global__ void __launch_bounds__(256, 2) first(T *x) { x[0] = (1; }
    __global__
    void second(float *y) {}
    extern "C" __global__ void third (int n);
    __device__ float helper(float v) { return v; }`;
  assert.deepEqual(kernelNames(text), ['first', 'second', 'third']);
  assert.deepEqual(kernelNames('int main() {}'), []);
});

test('a text is another kernel only when none of the known ones is left in it', () => {
  const own = ['matvec_rows'];
  assert.equal(isOtherKernel('__global__ void matvec_rows(float *A) { A[0] = 2; }', own), false);
  assert.equal(isOtherKernel('__global__ void twice(float *x) {}', own), true);
  // Half a text, as while one is replaced by another, and kernels that are not known yet tell nothing.
  assert.equal(isOtherKernel('__global__ void', own), false);
  assert.equal(isOtherKernel('__global__ void twice(float *x) {}', []), false);
});
