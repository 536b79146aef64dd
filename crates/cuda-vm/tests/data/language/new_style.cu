// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 72
// accesses: store shared 4x32; store shared 1x32; store out+0 4x1
struct alignas(16) A16 { float x; };
struct __align__(8) A8 { int x; };
typedef struct __attribute__((aligned(32))) { int a; } A32;
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  [[maybe_unused]] int unused = 3;
  __shared__ alignas(16) float s[4];
  __shared__ __align__(16) char c2[16];
  s[0] = 1;
  c2[0] = 1;
  __builtin_assume(t >= 0);
  int r = __builtin_expect(t == 0, 1);
  if (r) out[0] = sizeof(A16) + sizeof(A8) + sizeof(A32) + alignof(A16);
  if (t == 99) __trap();
  if (t == 98) __builtin_unreachable();
}
