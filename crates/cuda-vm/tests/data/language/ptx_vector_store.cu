// launch: k<<<1, 32, 4096>>>(out: int[6] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 4 8 5 6 7 0
// accesses: store out+8 8x1; store out+0 4x1; store out+4 4x1; 2 atomic out+16 4x1; store out+20 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) { int a = 5, b = 6; asm volatile("st.global.v2.s32 [%0+8], {%1, %2};" :: "l"(out), "r"(a), "r"(b) : "memory"); unsigned long long d; asm("mul.wide.u32 %0, %1, %2;" : "=l"(d) : "r"(70000), "r"(70000)); float x; asm("ex2.approx.f32 %0, %1;" : "=f"(x) : "f"(3.0f)); int y; asm("cvt.rni.s32.f32 %0, %1;" : "=r"(y) : "f"(x)); out[0] = (int)(d >> 30); out[1] = y; int q; asm("atom.global.add.s32 %0, [%1], %2;" : "=r"(q) : "l"(out + 4), "r"(3)); asm volatile("red.global.add.s32 [%0], %1;" :: "l"(out + 4), "r"(4)); out[5] = q; }
}
