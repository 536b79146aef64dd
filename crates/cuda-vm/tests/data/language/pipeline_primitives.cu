// launch: k<<<1, 32, 4096>>>(out: int[2] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 31 30
// accesses: load in+0 4x32; store shared 4x32; load shared 4x2; store out+0 4x2
#include <cuda_pipeline.h>
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (t < 2) out[t] = s[31 - t];
}
