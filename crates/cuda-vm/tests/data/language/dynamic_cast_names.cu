// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 19
// accesses: store out+0 4x1
namespace a { namespace b { __device__ int v() { return 3; } struct S { static constexpr int K = 4; enum class E { A, B = 7 }; }; } using namespace b; }
namespace c = a::b;
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  using a::b::S;
  if (t == 0) out[0] = a::v() + c::v() + S::K + (int)S::E::B + ::max(1, 2);
}
