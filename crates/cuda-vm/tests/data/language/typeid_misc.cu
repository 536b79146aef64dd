// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 56
// accesses: store out+0 4x1
#define CAT(a, b) a##b
#define STR(x) #x
#define VA(fmt, ...) sum3(__VA_ARGS__)
#define EMPTY()
__device__ int sum3(int a, int b, int c) { return a + b + c; }
#define FOR(i, n) for (int i = 0; i < (n); ++i)
#define SWAP(T, a, b) do { T tmp_ = a; a = b; b = tmp_; } while (0)
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int CAT(va, lue) = 3, y = 4;
  SWAP(int, value, y);
  FOR(i, 3) y += i;
  if (t == 0) out[0] = value * 10 + y + VA("x", 1, 2, 3) + (int)sizeof(STR(abc));
  EMPTY()
}
