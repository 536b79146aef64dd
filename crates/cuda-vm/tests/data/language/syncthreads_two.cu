// launch: k<<<1, 32, 4096>>>(out: int[2] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 1 2
// accesses: store out+0 4x16; store out+4 4x16
// warning: one barrier for all threads
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t < 16) { out[0] = 1;
  __syncthreads(); } else { out[1] = 2;
  __syncthreads(); }
}
