// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 13
// accesses: load in+12 4x1; load in+28 4x1; store out+0 4x1
#define MAXX(a, b) ({ int _a = (a); int _b = (b); _a > _b ? _a : _b; })
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) out[0] = MAXX(in[3], in[7]) + ({ int q = 3;
  q * 2; });
}
