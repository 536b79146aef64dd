// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 18
// accesses: store out+0 4x1
template <typename F> __device__ void each(int n, F &&f) { for (int i = 0; i < n; ++i) f(i); }
template <typename F, typename... A> __device__ auto inv(F f, A &&...a) { return f(static_cast<A &&>(a)...); }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int s = 0;
  each(4, [&](int i) { each(2, [&](int j) { s += i * j; }); });
  int q = inv([](int a, int b) { return a * b; }, 3, 4);
  if (t == 0) out[0] = s + q;
}
