// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 7
// accesses: load in+16 4x32; store out+0 4x1
template <typename T> using Ptr = T *;
template <typename T, int N> struct Arr { T v[N]; };
template <int N> using IArr = Arr<int, N>;
using fn = int;
typedef float real, *preal;
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  Ptr<const int> p = in;
  IArr<3> a;
  a.v[2] = p[4];
  fn z = 1;
  real r = 2.0f;
  preal q = &r;
  if (t == 0) out[0] = a.v[2] + z + (int)*q;
}
