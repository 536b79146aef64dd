// launch: k<<<1, 32, 4096>>>(out: int[3] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 6 1 101
// accesses: store out+0 4x1; store out+4 4x1; store out+8 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int k = 3;
  auto b = [k](int x) { return x * k; };
  k = 100;
  auto f2 = [](float a, float c) constexpr { return a < c; };
  if (t == 0) { out[0] = b(2);
  out[1] = f2(1.f, 2.f);
  out[2] = [&] { return k + 1; }(); }
}
