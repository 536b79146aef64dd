// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 6
// accesses: load in+12 4x32; load in+8 4x32; load in+4 4x32; load in+0 4x32; store out+0 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int s = 0; for (int i = 3; int x = in[i]; i--) s += x; if (t == 0) out[0] = s;
}
