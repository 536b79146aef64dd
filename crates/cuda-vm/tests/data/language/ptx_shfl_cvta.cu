// launch: k<<<1, 32, 4096>>>(out: int[2] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 5 14
// accesses: load in+0 4x32; store shared 4x32; 2 load shared 4x32; store out+0 4x1; store out+4 4x1
__device__ unsigned smem(const void *p) { unsigned a; asm("{ .reg .u64 u; cvta.to.shared.u64 u, %1; cvt.u32.u64 %0, u; }" : "=r"(a) : "l"(p)); return a; }
__device__ int lds(unsigned a) { int v; asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(a)); return v; }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  __shared__ int s[32]; s[t] = in[t] * 2; __syncthreads(); int v = t, w; asm volatile("shfl.sync.down.b32 %0, %1, 4, 0x1f, 0xffffffff;" : "=r"(w) : "r"(v)); int u = lds((unsigned)__cvta_generic_to_shared(&s[3])); int y = lds(smem(s + 4)); if (t == 1) { out[0] = w; out[1] = u + y; }
}
