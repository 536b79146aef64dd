// launch: k<<<1, 32>>>(x: float[128] = iota, out: int[32])
// out: 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127
// accesses: load x+0 16x32; store shared 16x32; load x+0 16x8; store shared 16x8; 2 load shared 4x32; store out+0 4x32
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
__global__ void k(const float *x, int *out) {
  __shared__ __align__(16) float s[256];
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(s + 4 * threadIdx.x, x + 4 * threadIdx.x, cuda::aligned_size_t<16>(16), pipe);
  pipe.producer_commit(); pipe.consumer_wait(); __syncthreads();
  cooperative_groups::memcpy_async(block, s + 128, x, 4 * 32);
  cooperative_groups::wait(block);
  out[threadIdx.x] = s[127 - threadIdx.x] + s[128 + threadIdx.x];
}
