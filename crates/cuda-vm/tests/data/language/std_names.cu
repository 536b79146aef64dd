// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 24
// accesses: store out+0 4x1
#include <cstdint>
#include <type_traits>
#include <limits>
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  std::uint32_t a = 3;
  std::size_t b = 4;
  int64_t d = std::max(2, 3);
  float m = std::sqrt(4.0f) + std::abs(-1.0f);
  static_assert(std::is_same<int, int>::value);
  d += 10;
  if (t == 0) out[0] = a + b + (int)d + (int)m + (std::numeric_limits<int>::max() > 5);
}
