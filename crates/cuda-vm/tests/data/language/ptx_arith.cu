// launch: k<<<1, 32, 4096>>>(out: int[6] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 19 7 6 188 48 1
// accesses: load in+12 4x32; load in+16 4x32; load f+12 4x32; store out+0 4x1; store out+4 4x1; store out+8 4x1; store out+12 4x1; store out+16 4x1; store out+20 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int a = in[3], b = in[4], d; float x; asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(7)); asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(x) : "f"(2.0f), "f"(f[3]), "f"(1.0f)); int e; asm("add.s32 %0, %1, %2;\n\tsub.s32 %0, %0, 1;" : "=r"(e) : "r"(a), "r"(b)); unsigned bfe; asm("bfe.u32 %0, %1, %2, %3;" : "=r"(bfe) : "r"(0xabcd), "r"(4), "r"(8)); unsigned bfi; asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(bfi) : "r"(3), "r"(0), "r"(4), "r"(2)); int l3; asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(l3) : "r"(1), "r"(3), "r"(5)); if (t == 0) { out[0] = d; out[1] = (int)x; out[2] = e; out[3] = bfe; out[4] = bfi; out[5] = l3; }
}
