// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 125
// accesses: store out+0 4x1
template <int N> struct Fact { enum { value = N * Fact<N - 1>::value }; };
template <> struct Fact<0> { enum { value = 1 }; };
template <int N> __device__ __forceinline__ void unr(int *a) { a[N - 1] = N; unr<N - 1>(a); }
template <> __device__ __forceinline__ void unr<0>(int *a) {}
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int a[4];
  unr<4>(a);
  if (t == 0) out[0] = Fact<5>::value + a[0] + a[3];
}
