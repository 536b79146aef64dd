// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 19
// accesses: store out+0 4x1
template <typename T = float, int N = 2> struct Vv { T d[N]; };
template <int... I> struct Seq {};
template <int N, int... I> struct Make : Make<N - 1, N - 1, I...> {};
template <template <typename> class C, typename T> __device__ int tt() { return sizeof(C<T>); }
template <typename T> struct One { T a; };
template <typename T, typename = void> struct Has { static constexpr bool v = false; };
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  Vv<> v;
  v.d[1] = 3.0f;
  if (t == 0) out[0] = (int)v.d[1] + sizeof(v) + tt<One, double>() + Has<int>::v;
}
