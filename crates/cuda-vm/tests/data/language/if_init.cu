// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 13
// accesses: load in+12 4x32; load in+4 4x32; store out+0 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int r = 0;
  if (int a = in[3];
  a > 2) r = a;
  else r = -a;
  switch (int b = in[1];
  b) { case 1: r += 10;
  break;
  default: r += 20; } if (t == 0) out[0] = r;
}
