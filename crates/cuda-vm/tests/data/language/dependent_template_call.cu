// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 7
// accesses: store out+0 4x1
struct Op { template <int N> __device__ int run(int x) { return x * N; } template <typename T> static __device__ T one() { return T(1); } };
template <typename O> __device__ int drive(O o) { return o.template run<3>(2) + O::template one<int>(); }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  Op o;
  if (t == 0) out[0] = drive(o);
}
