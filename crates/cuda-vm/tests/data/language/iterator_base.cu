// launch: k<<<1, 32>>>(out: int[32] = zero, in: int[64] = iota)
// out: 64 68 72 76 80 84 88 92 96 100 104 108 112 116 120 124 128 132 136 140 144 148 152 156 160 164 168 172 176 180 184 188
// accesses: load in+0 4x32; load in+128 4x32; store out+0 4x32
#include <iterator>
namespace steps {
template <typename T> struct counter_base : std::iterator<std::input_iterator_tag, T> {
  __device__ counter_base(T n) : n(n) {}
  __device__ T operator*() const { return n; }
  __device__ bool operator!=(counter_base const &o) const { return not (n >= o.n); }
  T n;
};
struct strided {
  struct iter : counter_base<int> {
    __device__ iter(int n, int by) : counter_base<int>(n), by(by) {}
    __device__ iter &operator++() { n += by; return *this; }
    int by;
  };
  int from, to, by;
  __device__ iter begin() const { return iter(from, by); }
  __device__ iter end() const { return iter(to, by); }
};
}
__global__ void k(int *out, const int *in)
{
  int s = 0;
  steps::strided all{(int)threadIdx.x, 64, 32};
  for (auto i = all.begin(); i != all.end(); ++i) s += 2 * in[*i];
  out[threadIdx.x] = s;
}
