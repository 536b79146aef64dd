// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 4141
// accesses: load in+12 4x32; store out+0 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  bool a = in[3], b = !a;
  int x = a and not b;
  long long y = 1LL << 40;
  unsigned char ch = 250;
  ch += 10;
  int w = 5;
  size_t n = sizeof(int[4]);
  if (t == 0) out[0] = x + (int)(y >> 38) + ch + w + n + 0x1'000 + 0b101u + 1e1f;
}
