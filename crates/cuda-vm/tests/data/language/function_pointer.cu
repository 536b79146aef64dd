// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 245
// accesses: store out+0 4x1
__device__ int inc(int x) { return x + 1; }
__device__ int dec(int x) { return x - 1; }
typedef int (*fn_t)(int);
template <int (*F)(int)> __device__ int app(int x) { return F(x); }
__device__ int app2(fn_t f, int x) { return f(x); }
__device__ fn_t table = inc;
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  fn_t g = inc;
  int (*h)(int) = dec;
  if (t == 0) out[0] = app<inc>(1) * 100 + app2(dec, 5) * 10 + g(1) + h(3) + app2(&inc, 0);
}
