// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 15
// accesses: load in+20 4x32; load in+16 4x32; load in+12 4x32; load in+8 4x32; load in+4 4x32; load in+0 4x32; load in+8 4x32; store out+0 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int i = 5, s = 0;
  while (auto x = in[i]) { s += x;
  i--; } while (int y = in[i + 2] - 2) { s += y;
  break; } if (t == 0) out[0] = s;
}
