// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 647
// accesses: store out+0 4x1
struct P { int a; float b; };
__device__ P make(int x) { P p; p.a = x; p.b = x * 0.5f; return p; }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  auto [a, b] = make(6);
  int arr[2] = {4, 5};
  auto &[x, y] = arr;
  x = 9;
  const auto [m, n] = make_int2(1, 2);
  if (t == 0) out[0] = a * 100 + (int)b * 10 + arr[0] + y + m + n;
}
