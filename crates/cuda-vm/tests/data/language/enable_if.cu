// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 12
// accesses: store out+0 4x1
template <bool B, typename T = void> struct enable_if {}; template <typename T> struct enable_if<true, T> { typedef T type; };
template <int N> __device__ typename enable_if<(N > 2), int>::type sel() { return 1; }
template <int N> __device__ typename enable_if<(N <= 2), int>::type sel() { return 2; }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) out[0] = sel<3>() * 10 + sel<1>();
}
