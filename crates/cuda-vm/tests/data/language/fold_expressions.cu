// launch: k<<<1, 32, 4096>>>(out: int[3] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 6 10 10
// accesses: load in+12 4x1; store out+0 4x1; store out+4 4x1; store out+8 4x1
template <typename... A> __device__ auto total(A... a) { return (a + ...); }
template <typename... A> __device__ int all(A... a) { return (... && (a > 0)); }
template <typename T, typename... A> __device__ T rec(T x, A... r) { if constexpr (sizeof...(r) > 0) return x + rec(r...); else return x; }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) { out[0] = total(1, 2, in[3]);
  out[1] = all(1, 2) * 10 + all(1, 0);
  out[2] = rec(1, 2, 3, 4); }
}
