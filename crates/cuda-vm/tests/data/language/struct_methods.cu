// launch: k<<<1, 32, 4096>>>(out: int[2] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 7 19
// accesses: load in+76 4x1; store out+4 4x1; load in+20 4x1; store out+0 4x1
template <typename T> class Mat { T *p; int ld; public: __device__ Mat(T *q, int n) : p(q), ld(n) {} __device__ T &operator()(int i, int j) { return p[i * ld + j]; } __device__ const T &at(int i) const; __host__ void resize(); ~Mat() = default; Mat(const Mat &) = default; static constexpr int two() { return 2; } friend struct Q; };
template <typename T> __device__ const T &Mat<T>::at(int i) const { return p[i]; }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  Mat<const int> m(in, 8);
  Mat<int> o(out, 4);
  if (t == 0) { o(0, 1) = m(2, 3);
  o(0, 0) = m.at(5) + Mat<int>::two(); }
}
