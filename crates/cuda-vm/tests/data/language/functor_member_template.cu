// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 69
// accesses: load in+16 4x1; load in+20 4x1; store out+0 4x1
struct Plus { template <typename T> __device__ T operator()(T a, T b) const { return a + b; } };
template <typename Op> __device__ int fold3(int a, int b, int c) { Op op; return op(op(a, b), c); }
template <class Op> __device__ int fold2(int a, int b, Op op) { return op(a, b); }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) out[0] = fold3<Plus>(1, 2, 3) * 10 + fold2(in[4], in[5], Plus());
}
