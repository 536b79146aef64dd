// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 13
// accesses: load in+12 4x1; store out+0 4x1
template <typename T> __device__ inline T SQ(T x);
template <> __device__ inline int SQ(int x) { return x * x; }
template <> inline __device__ float SQ(float x) { return x * x + 0.5f; }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) out[0] = SQ(in[3]) + (int)SQ<float>(2.0f);
}
