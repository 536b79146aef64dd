// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 30
// accesses: store out+0 4x1
template <typename T> constexpr T pi = T(3.25);
template <int N> __device__ constexpr int twice = 2 * N;
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) out[0] = (int)(pi<float> * 4) + pi<int> + twice<7>;
}
