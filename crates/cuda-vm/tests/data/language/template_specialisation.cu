// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 35
// accesses: load f+8 4x1; store out+0 4x1
template <typename T> __device__ T LOG(T x);
template<> __device__ float LOG<float>(float x) { return x + 1; }
template<> __device__ double LOG<double>(double x) { return x + 2; }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) out[0] = (int)LOG(f[2]) * 10 + (int)LOG<double>(3.0);
}
