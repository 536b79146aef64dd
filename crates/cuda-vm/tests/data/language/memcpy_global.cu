// launch: k<<<1, 32, 4096>>>(out: int[4] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 1 2 3 -1
// accesses: load in+4 4x1; store out+0 4x1; load in+8 4x1; store out+4 4x1; load in+12 4x1; store out+8 4x1; store out+12 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) memcpy(out, in + 1, 3 * sizeof(int));
  if (t == 1) memset(out + 3, 0xff, 4);
}
