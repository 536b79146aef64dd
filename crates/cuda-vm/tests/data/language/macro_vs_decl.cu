// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 20
// accesses: store out+0 4x1
#define N 8
struct Dims { int N_; int X; };
constexpr int TILE = 4;
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  const int X = 3;
  enum { WIDTH = 5 };
  int TILE2 = TILE;
  if (t == 0) out[0] = X + WIDTH + TILE2 + N;
}
