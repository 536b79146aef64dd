// launch: k<<<1, 2>>>(out: int[2])
// out: 27 27
// accesses: store out+0 4x2
namespace m {
template <class T, int N> struct Vec {
  T x[N];
  __device__ Vec() {}
  __device__ explicit Vec(T a) { for (int i = 0; i < N; i++) x[i] = a; }
  friend __device__ Vec operator*(T s, const Vec &v) { Vec r; for (int i = 0; i < N; i++) r.x[i] = s * v.x[i]; return r; }
  __device__ friend inline Vec operator+(const Vec &a, const Vec<T, N> &b) { Vec r(a); for (int i = 0; i < N; i++) r.x[i] += b.x[i]; return r; }
  __device__ friend T sum(const Vec &v) { T s = 0; for (int i = 0; i < N; i++) s += v.x[i]; return s; }
};
}
using V3 = m::Vec<int, 3>;
__global__ void k(int *out) { V3 a(1), b(3); out[threadIdx.x] = sum(2 * b + a) + sum(m::Vec<float, 2>(3.0f)); }
