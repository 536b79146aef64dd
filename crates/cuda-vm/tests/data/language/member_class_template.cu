// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 15
// accesses: load in+4 4x32; load in+8 4x32; load in+12 4x32; store out+0 4x1
struct Outer { template <int N> struct Inner { int v[N]; __device__ int sum() { int s = 0; for (int i = 0; i < N; i++) s += v[i]; return s; } }; };
template <typename T> struct Host { template <typename U> struct In { T a; U b; }; };
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  Outer::Inner<3> x; for (int i = 0; i < 3; i++) x.v[i] = in[i + 1]; Host<int>::In<float> y; y.a = 4; y.b = 2.5f; if (t == 0) out[0] = x.sum() + y.a + (int)(y.b * 2);
}
