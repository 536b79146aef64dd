// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 173
// accesses: store out+0 4x1
template <typename T, int N> struct Pick { static const int v = 1; };
template <typename T> struct Pick<T, 4> { static const int v = 2; };
template <int N> struct Pick<float, N> { static const int v = N * 10; };
template <typename T> struct Same { typedef T type; };
template <typename T> struct Same<T*> { typedef T type; };
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  typename Same<int*>::type z = 3;
  if (t == 0) out[0] = Pick<int, 3>::v * 100 + Pick<int, 4>::v * 10 + Pick<float, 5>::v + z;
}
