// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 13
// accesses: store out+0 4x1
template <typename T, int N> __device__ int kind() { if constexpr (N > 3) return 1; else if constexpr (sizeof(T) == 8) return T::nothing; else return 3; }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) out[0] = kind<int, 4>() * 10 + kind<int, 2>();
}
