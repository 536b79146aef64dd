// launch: k<<<1, 32, 4096>>>(out: int[5] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 2 2 2 2 1
// accesses: store out+0 4x5
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  asm volatile("bar.sync 0;" ::: "memory"); asm volatile("bar.warp.sync 0xffffffff;"); asm volatile("membar.gl;" ::: "memory"); asm volatile("" ::: "memory"); asm volatile("prefetch.global.L2 [%0];" :: "l"(in)); int p; asm volatile("{\n .reg .pred q;\n setp.gt.s32 q, %1, 3;\n selp.s32 %0, 1, 2, q;\n}" : "=r"(p) : "r"(t)); unsigned long long clk; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(clk)); if (t < 5) out[t] = p;
}
