// launch: k<<<1, 32, 4096>>>(out: int[3] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 11 7 4
// accesses: load f+16 16x1; store out+0 4x1; load in+28 4x1; store out+4 4x1; load in+16 4x1; store out+8 4x1
__device__ float4 ldcs(const float4 *p) { float4 r; asm volatile("ld.global.cs.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w) : "l"(p)); return r; }
__device__ int ldcg(const int *p) { int r; asm("ld.global.cg.s32 %0, [%1];" : "=r"(r) : "l"(p)); return r; }
__device__ int ldnc(const int *p) { int r; asm("ld.global.nc.L1::no_allocate.L2::128B.s32 %0, [%1+4];" : "=r"(r) : "l"(p)); return r; }
__device__ void stcs(int *p, int v) { asm volatile("st.global.cs.u32 [%0], %1;" :: "l"(p), "r"(v) : "memory"); }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) { float4 v = ldcs((const float4 *)f + 1);
  stcs(out, (int)(v.x + v.w));
  stcs(out + 1, ldcg(in + 7));
  out[2] = ldnc(in + 3); }
}
