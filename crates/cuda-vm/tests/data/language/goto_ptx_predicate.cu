// launch: k<<<1, 32, 4096>>>(out: int[2] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 11 3
// accesses: store out+0 4x2
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int r = 1; asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 4; @p add.s32 %0, %0, 10; @!p mov.s32 %0, 3; }" : "+r"(r) : "r"(t)); if (t > 2 && t < 5) out[t - 3] = r;
}
