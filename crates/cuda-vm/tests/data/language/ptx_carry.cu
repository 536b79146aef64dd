// launch: k<<<1, 1>>>(out: int[16] = zero, in: unsigned[4] = {0, 1, 5, 4294967295})
// out: 0 7 -1 -1 0 0 6 1 1 1 0 5 1 -1 -1 8
// accesses: load in+0 4x1; load in+4 4x1; load in+8 4x1; load in+12 4x1; store out+0 4x1; store out+4 4x1; store out+8 4x1; store out+12 4x1; store out+16 4x1; store out+20 4x1; store out+24 4x1; store out+28 4x1; store out+32 4x1; store out+36 4x1; store out+40 4x1; store out+44 4x1; store out+48 4x1; store out+52 4x1; store out+56 4x1; store out+60 4x1
__device__ unsigned add_cc(unsigned x, unsigned y) { unsigned r; asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y)); return r; }
__device__ unsigned addc(unsigned x, unsigned y) { unsigned r; asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y)); return r; }
__global__ void k(int *out, const unsigned *in)
{
  unsigned zero = in[0], one = in[1], five = in[2], most = in[3], r[16];
  r[0] = add_cc(most, one); r[1] = addc(five, one);
  asm("sub.cc.u32 %0, %3, %4;\n\tsubc.cc.u32 %1, %3, %3;\n\tsubc.u32 %2, %4, %3;" : "=r"(r[2]), "=r"(r[3]), "=r"(r[4]) : "r"(zero), "r"(one));
  asm("mad.lo.cc.u32 %0, %3, %3, %3;\n\tmadc.hi.cc.u32 %1, %3, %3, 7;\n\taddc.u32 %2, %4, 0;" : "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "r"(most), "r"(zero));
  unsigned long long low, high, all = ~0ull;
  asm("add.cc.u64 %0, %2, %3;\n\taddc.u64 %1, 0, 0;" : "=l"(low), "=l"(high) : "l"(all), "l"(2ull)); r[8] = low; r[9] = high;
  asm("add.cc.u32 %0, %3, %4;\n\taddc.cc.u32 %1, %5, %4;\n\taddc.u32 %2, 0, 0;" : "=r"(r[10]), "=r"(r[11]), "=r"(r[12]) : "r"(one), "r"(most), "r"(five));
  asm("sub.cc.u32 %0, %3, %4;\n\tsubc.cc.u32 %1, 3, 3;\n\tsubc.u32 %2, 9, 0;" : "=r"(r[13]), "=r"(r[14]), "=r"(r[15]) : "r"(zero), "r"(one));
  for (int i = 0; i < 16; i++) out[i] = r[i];
}
