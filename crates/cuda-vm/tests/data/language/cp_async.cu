// launch: k<<<1, 32, 4096>>>(out: int[2] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 5 6
// accesses: load in+0 16x16; store shared 16x16; load shared 4x2; store out+0 4x2
__device__ void cpa(void *s, const void *g) { unsigned a = (unsigned)__cvta_generic_to_shared(s); asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" :: "r"(a), "l"(g)); }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  __shared__ int s[128]; if (t < 16) cpa(s + 4 * t, in + 4 * t); asm volatile("cp.async.commit_group;\n" ::); asm volatile("cp.async.wait_group %0;\n" :: "n"(0)); asm volatile("cp.async.wait_all;"); __syncthreads(); if (t < 2) out[t] = s[t + 5];
}
