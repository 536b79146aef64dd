// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 12
// accesses: load in+4 4x1; load in+8 4x1; store out+0 4x1
__device__ __noinline__ int rd(const int *__restrict p, const int * __restrict__ const q) { return p[1] + q[2]; }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  register int z = 4;
  const int unsigned uu = 3u;
  long int li = 2;
  unsigned long long int ul = 1;
  signed char sc = -1;
  if (t == 0) out[0] = rd(in, in) + z + uu + (int)li + (int)ul + sc;
}
