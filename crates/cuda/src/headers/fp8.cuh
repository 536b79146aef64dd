#define D inline __device__
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
#define HOW __nv_saturation_t s, __nv_fp8_interpretation_t i
D __nv_fp8_storage_t __nv_cvt_float_to_fp8(float f, HOW) {
  unsigned u = __float_as_uint(f), a = u & 0x7fffffff, k = i ? 21 : 20, r = u >> 24 & 128;
  if (a > 0x7f800000) return 127;
  if (a > (i ? 0x476fffff : 0x43e80000)) return r | (s ? i ? 0x7b : 0x7e : i ? 0x7c : 0x7f);
  if (a < (i ? 0x38800000 : 0x3c800000)) return r | __float_as_uint(__uint_as_float(a) + (i ? 128.0f : 16384.0f)) - (i ? 0x43000000 : 0x46800000);
  return r | (a - (i ? 0x38000000 : 0x3c000000) + (1 << k - 1) - 1 + (a >> k & 1)) >> k;
}
D __nv_fp8_storage_t __nv_cvt_double_to_fp8(double d, HOW) {
  float f = (float)d;
  if (f != d) f = __uint_as_float(__float_as_uint(f) - (fabs((double)f) > fabs(d)) | 1);
  return __nv_cvt_float_to_fp8(f, s, i);
}
D __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t i) {
  unsigned a = x & 127;
  __half_raw r;
  if (a > (i ? 0x7c : 0x7e)) r.x = 0x7fff;
  else r.x = i ? x << 8 : (x & 128) << 8 | __half(__uint_as_float(a << 20) * 1.329227995784916e36f).__x;
  return r;
}
D __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t i) {
  __half2_raw r;
  r.x = __nv_cvt_fp8_to_halfraw(x, i).x;
  r.y = __nv_cvt_fp8_to_halfraw(x >> 8, i).x;
  return r;
}
#define FROM(N, H, M, H2) \
D __nv_fp8_storage_t __nv_cvt_##N##_to_fp8(H h, HOW) { return __nv_cvt_float_to_fp8((float)h, s, i); } \
D __nv_fp8x2_storage_t __nv_cvt_##M##_to_fp8x2(H2 h, HOW) { return __nv_cvt_float_to_fp8((float)h.x, s, i) | __nv_cvt_float_to_fp8((float)h.y, s, i) << 8; }
FROM(halfraw, __half, halfraw2, __half2) FROM(bfloat16raw, __nv_bfloat16, bfloat16raw2, __nv_bfloat162) FROM(number, float, float2, float2)
#define FP8(E, I) \
struct __nv_fp8_##E { \
  __nv_fp8_storage_t __x; \
  D __nv_fp8_##E() {} \
  D __nv_fp8_##E(float f) : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, I)) {} \
  D __nv_fp8_##E(double f) : __x(__nv_cvt_double_to_fp8(f, __NV_SATFINITE, I)) {} \
  D __nv_fp8_##E(__half f) : __x(__nv_cvt_halfraw_to_fp8(f, __NV_SATFINITE, I)) {} \
  D __nv_fp8_##E(__nv_bfloat16 f) : __x(__nv_cvt_bfloat16raw_to_fp8(f, __NV_SATFINITE, I)) {} \
  D operator float() const { return (float)__half(__nv_cvt_fp8_to_halfraw(__x, I)); } \
  D operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, I)); } \
  D operator __nv_bfloat16() const { return __nv_bfloat16((float)__half(__nv_cvt_fp8_to_halfraw(__x, I))); } \
}; \
struct __nv_fp8x2_##E { \
  __nv_fp8x2_storage_t __x; \
  D __nv_fp8x2_##E() {} \
  D __nv_fp8x2_##E(float2 f) : __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, I)) {} \
  D __nv_fp8x2_##E(__half2 f) : __x(__nv_cvt_halfraw2_to_fp8x2(f, __NV_SATFINITE, I)) {} \
  D __nv_fp8x2_##E(__nv_bfloat162 f) : __x(__nv_cvt_bfloat16raw2_to_fp8x2(f, __NV_SATFINITE, I)) {} \
  D operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, I)); } \
  D operator float2() const { return __half22float2(__half2(__nv_cvt_fp8x2_to_halfraw2(__x, I))); } \
}; \
struct __nv_fp8x4_##E { \
  __nv_fp8x4_storage_t __x; \
  D __nv_fp8x4_##E() {} \
  D __nv_fp8x4_##E(float4 f) : __x(__nv_fp8x2_##E(make_float2(f.x, f.y)).__x | (unsigned)__nv_fp8x2_##E(make_float2(f.z, f.w)).__x << 16) {} \
  D __nv_fp8x4_##E(__half2 a, __half2 b) : __x(__nv_fp8x2_##E(a).__x | (unsigned)__nv_fp8x2_##E(b).__x << 16) {} \
  D __nv_fp8x4_##E(__nv_bfloat162 a, __nv_bfloat162 b) : __x(__nv_fp8x2_##E(a).__x | (unsigned)__nv_fp8x2_##E(b).__x << 16) {} \
  D operator float4() const { \
    float2 a = __half22float2(__half2(__nv_cvt_fp8x2_to_halfraw2(__x, I))), b = __half22float2(__half2(__nv_cvt_fp8x2_to_halfraw2(__x >> 16, I))); \
    return make_float4(a.x, a.y, b.x, b.y); \
  } \
};
FP8(e4m3, __NV_E4M3) FP8(e5m2, __NV_E5M2)
