// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 12
// accesses: store out+0 4x1
struct K2 { int v = 2; K2() = default; __device__ K2(int a) : v(a) {} __device__ K2(const K2 &o) : v(o.v + 1) {} __device__ K2 &operator=(const K2 &o) { v = o.v; return *this; } };
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  K2 a;
  K2 b(5);
  K2 d{7};
  a = b;
  if (t == 0) out[0] = a.v + d.v;
}
