// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 3
// accesses: store out+0 4x1; load out+0 4x1; store out+0 4x1; load out+0 4x1; store out+0 4x1
template <int B> __launch_bounds__(B * 2, 1) __global__ void other(int *p) { p[0] = B; }
__global__ __launch_bounds__(128) __cluster_dims__(1, 1, 1) void other2(int *p);
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) out[0] = __CUDA_ARCH__ >= 700;
#if __CUDA_ARCH__ >= 800
if (t == 0) out[0] += 1;
#endif
#ifdef __CUDACC__
if (t == 0) out[0] += 1;
#endif
}
