// launch: k<<<1, 32, 4096>>>(out: int[4] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 5 8 3 9
// accesses: load in+8 4x32; store out+0 4x1; store out+4 4x1; store out+8 4x1; store out+12 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int k = 3;
  auto a = [&](int x) { return k += x; };
  auto b = [k, z = in[2]](int x) -> int { return x * k + z; };
  auto d = [=] { return k; };
  auto e = [&k](auto x) mutable { k = x; };
  int r = a(2);
  e(9);
  if (t == 0) { out[0] = r;
  out[1] = b(2);
  out[2] = d();
  out[3] = k; }
}
