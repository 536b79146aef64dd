// launch: k<<<1, 32, 4096>>>(out: int[8] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 21 2 1 27 17 8 8 4
// accesses: 2 store local 8x1; 2 store local 4x1; store out+0 4x1; store out+4 4x1; store out+8 4x1; store out+12 4x1; store out+16 4x1; store out+20 4x1; store out+24 4x1; store out+28 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) { double s, co;
  sincos(0.0, &s, &co);
  sincospif(0.5f, (float*)&s, (float*)&co);
  out[0] = (int)(erfcf(0.0f) + erff(0.0f) + erfcxf(0.0f) + normcdff(0.0f) * 2 + exp10f(1.0f) + exp2f(3.0f));
  out[1] = (int)(j0f(0.0f) + j1f(0.0f) + cyl_bessel_i0f(0.0f));
  out[2] = __signbitf(-1.0f) != 0;
  out[3] = (int)(fdividef(6, 2) + __fdividef(6, 3) + __powf(2, 3) + __expf(0) + __log2f(8) + __tanf(0) + __exp10f(1));
  out[4] = __fmaf_rn(2, 3, 4) + __frcp_rn(0.5f) + __frsqrt_rn(0.25f) + __fsqrt_rn(9.0f);
  out[5] = (int)(fmodf(7, 4) + remainderf(7, 4) + fdimf(5, 3) + hypotf(3, 4) + copysignf(2, -1) + nextafterf(1, 2) + atan2f(0, 1));
  out[6] = (int)(expm1f(0) + log1pf(0) + tgammaf(4) + lgammaf(1) + cospif(0) + sinpif(0.5f) + tanpif(0));
  out[7] = isnan(nanf("")) + isinf(1.0f / 0.0f) + isfinite(1.0f) + (signbit(-2.0) != 0); }
}
