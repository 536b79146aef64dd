// launch: k<<<1, 32, 4096>>>(out: int[10] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 7 21 3 9 8 7 6 3 1073741824 1077936128
// accesses: load in+12 4x1; load in+16 4x1; store out+0 4x1; load in+20 4x1; load in+24 4x1; load in+28 4x1; load in+4 4x1; load in+8 4x1; store out+4 4x1; load f+0 16x1; store out+8 4x1; store out+12 4x1; store out+16 4x1; store out+20 4x1; store out+24 4x1; load f+8 8x1; store out+32 8x1; store out+28 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) { out[0] = __ldg(in + 3) + __ldg(&in[4]);
  out[1] = __ldcg(in + 5) + __ldca(in + 6) + __ldcs(in + 7) + __ldlu(in + 1) + __ldcv(in + 2);
  float4 v = __ldg((const float4 *)f);
  out[2] = (int)v.w;
  __stcs(out + 3, 9);
  __stcg(out + 4, 8);
  __stwb(out + 5, 7);
  __stwt(out + 6, 6);
  float2 q = __ldcs(reinterpret_cast<const float2 *>(f) + 1);
  __stcs((float2 *)(out + 8), q);
  out[7] = (int)q.y; }
}
