// launch: k<<<1, 32, 4096>>>(out: int[4] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 5 0 31 0
// accesses: store out+0 4x1; store out+4 4x1; store out+8 4x1; store out+12 4x1
__device__ __forceinline__ unsigned lane() { unsigned r; asm volatile("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
__device__ unsigned warp() { unsigned r; asm("mov.u32 %0, %%warpid;" : "=r"(r)); return r; }
__device__ unsigned lt() { unsigned r; asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r)); return r; }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  unsigned sm; asm volatile("mov.u32 %0, %%smid;" : "=r"(sm)); if (t == 5) { out[0] = lane(); out[1] = warp(); out[2] = lt(); out[3] = sm * 0; }
}
