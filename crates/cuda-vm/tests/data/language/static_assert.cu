// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 3
// accesses: store out+0 4x1
static_assert(sizeof(int) == 4, "int");
template <int N> __device__ int f0() { static_assert(N > 0); return N; }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  static_assert(sizeof(float) == 4);
  if (t == 0) out[0] = f0<3>();
}
