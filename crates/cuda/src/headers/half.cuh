#define D inline __device__
struct __half_raw { unsigned short x; };
struct __half2_raw { unsigned short x, y; };
struct __nv_bfloat16_raw { unsigned short x; };
struct __nv_bfloat162_raw { unsigned short x, y; };
struct __align__(2) __half {
  unsigned short __x;
  D __half() {}
  D __half(__half_raw r) : __x(r.x) {}
  D __half(float f) {
    unsigned u = __float_as_uint(f), s = u >> 16 & 0x8000, a = u & 0x7fffffff;
    __x = s | (a > 0x7f800000 ? 0x7fff : a >= 0x477ff000 ? 0x7c00 : a < 0x38800000 ? __float_as_uint(__uint_as_float(a) + 0.5f) - 0x3f000000 : (a - 0x37fff001 + (a >> 13 & 1)) >> 13);
  }
  D operator float() const {
    unsigned a = (__x & 0x7fff) << 13, s = (__x & 0x8000) << 16;
    return __uint_as_float(s | ((__x & 0x7c00) == 0x7c00 ? a + 0x70000000 : __float_as_uint(__uint_as_float(a) * 5.192296858534828e33f)));
  }
};
struct __align__(2) __nv_bfloat16 {
  unsigned short __x;
  D __nv_bfloat16() {}
  D __nv_bfloat16(__nv_bfloat16_raw r) : __x(r.x) {}
  D __nv_bfloat16(float f) { unsigned u = __float_as_uint(f); __x = (u & 0x7fffffff) > 0x7f800000 ? 0x7fff : (u + 0x7fff + (u >> 16 & 1)) >> 16; }
  D operator float() const { return __uint_as_float((unsigned)__x << 16); }
};
#define BIN(H, O, N) \
D H operator O(H a, H b) { return H((float)a O (float)b); } \
D void operator O##=(H &a, H b) { a = H((float)a O (float)b); } \
D H N(H a, H b) { return H((float)a O (float)b); } \
D H##2 operator O(H##2 a, H##2 b) { return H##2(a.x O b.x, a.y O b.y); } \
D void operator O##=(H##2 &a, H##2 b) { a = a O b; } \
D H##2 N##2(H##2 a, H##2 b) { return a O b; }
#define CMP(H, O, N) \
D bool operator O(H a, H b) { return (float)a O (float)b; } \
D bool N(H a, H b) { return (float)a O (float)b; }
#define FUN(H, F, G) D H F(H a) { return H(G((float)a)); }
#define TWO(H, F) D H##2 h2##F(H##2 a) { return H##2(h##F(a.x), h##F(a.y)); }
#define BOTH(H, F, O) D bool __hb##F##2(H##2 a, H##2 b) { return (float)a.x O (float)b.x && (float)a.y O (float)b.y; } D H##2 __h##F##2(H##2 a, H##2 b) { return H##2(H((float)a.x O (float)b.x ? 1.0f : 0.0f), H((float)a.y O (float)b.y ? 1.0f : 0.0f)); }
#define ATOM(H) \
D H atomicAdd(H *p, H v) { unsigned short *w = (unsigned short *)p, o = *w, q; do { q = o; H h; h.__x = q; h = H((float)h + (float)v); o = atomicCAS(w, q, h.__x); } while (o != q); H r; r.__x = o; return r; } \
D H##2 atomicAdd(H##2 *p, H##2 v) { unsigned *w = (unsigned *)p, o = *w, q; H##2 h; do { q = o; h.x.__x = q; h.y.__x = q >> 16; h = h + v; o = atomicCAS(w, q, (unsigned)h.x.__x | (unsigned)h.y.__x << 16); } while (o != q); h.x.__x = o; h.y.__x = o >> 16; return h; }
#define KIND(H, R) \
struct __align__(4) H##2 { H x, y; D H##2() {} D H##2(H a, H b) : x(a), y(b) {} D H##2(H a) : x(a), y(a) {} D H##2(R r) { x.__x = r.x; y.__x = r.y; } }; \
BIN(H, +, __hadd) BIN(H, -, __hsub) BIN(H, *, __hmul) BIN(H, /, __hdiv) \
CMP(H, <, __hlt) CMP(H, >, __hgt) CMP(H, <=, __hle) CMP(H, >=, __hge) CMP(H, ==, __heq) CMP(H, !=, __hne) \
FUN(H, hexp, expf) FUN(H, hlog, logf) FUN(H, hsqrt, sqrtf) FUN(H, hrsqrt, rsqrtf) FUN(H, hrcp, 1.0f /) FUN(H, hsin, sinf) FUN(H, hcos, cosf) FUN(H, __habs, fabsf) FUN(H, __hneg, -) FUN(H, operator-, -) \
FUN(H, hfloor, floorf) FUN(H, hceil, ceilf) FUN(H, htanh, tanhf) FUN(H, hexp2, exp2f) FUN(H, hlog2, log2f) \
D H __hfma(H a, H b, H c) { return H(fmaf((float)a, (float)b, (float)c)); } \
D H __hmax(H a, H b) { return H(fmaxf((float)a, (float)b)); } \
D H __hmin(H a, H b) { return H(fminf((float)a, (float)b)); } \
D bool __hisnan(H a) { return isnan((float)a); } \
D H##2 __hfma2(H##2 a, H##2 b, H##2 c) { return H##2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); } \
D H##2 __hmax2(H##2 a, H##2 b) { return H##2(__hmax(a.x, b.x), __hmax(a.y, b.y)); } \
D H##2 __hmin2(H##2 a, H##2 b) { return H##2(__hmin(a.x, b.x), __hmin(a.y, b.y)); } \
D H##2 __hneg2(H##2 a) { return H##2(__hneg(a.x), __hneg(a.y)); } \
D H##2 operator-(H##2 a) { return __hneg2(a); } \
D H##2 __habs2(H##2 a) { return H##2(__habs(a.x), __habs(a.y)); } \
D H __hadd_sat(H a, H b) { return H(__saturatef((float)a + (float)b)); } \
D H __hfma_relu(H a, H b, H c) { return H(fmaxf(fmaf((float)a, (float)b, (float)c), 0.0f)); } \
TWO(H, exp) TWO(H, log) TWO(H, sqrt) TWO(H, rsqrt) TWO(H, rcp) TWO(H, sin) TWO(H, cos) TWO(H, tanh) TWO(H, exp2) TWO(H, log2) TWO(H, floor) TWO(H, ceil) \
BOTH(H, lt, <) BOTH(H, gt, >) BOTH(H, le, <=) BOTH(H, ge, >=) BOTH(H, eq, ==) BOTH(H, ne, !=) \
ATOM(H)
KIND(__half, __half2_raw) KIND(__nv_bfloat16, __nv_bfloat162_raw)
typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#define CONV(H, N, M, P, Q) \
D H __float2##N(float a) { return H(a); } \
D H __float2##N##_rn(float a) { return H(a); } \
D H __double2##N(double a) { return H((float)a); } \
D H __int2##N##_rn(int a) { return H((float)a); } \
D float P##float(H a) { return (float)a; } \
D int P##int_rn(H a) { return __float2int_rn((float)a); } \
D int P##int_rz(H a) { return (int)(float)a; } \
D unsigned short __##N##_as_ushort(H a) { return a.__x; } \
D H __ushort_as_##N(unsigned short a) { H h; h.__x = a; return h; } \
D M P##M(H a) { return M(a, a); } \
D M __##N##s2##M(H a, H b) { return M(a, b); } \
D M __halves2##M(H a, H b) { return M(a, b); } \
D M make_##M(H a, H b) { return M(a, b); } \
D M __float2##M##_rn(float a) { return M(H(a), H(a)); } \
D M __floats2##M##_rn(float a, float b) { return M(H(a), H(b)); } \
D M __float22##M##_rn(float2 a) { return M(H(a.x), H(a.y)); } \
D float2 Q##float2(M a) { return make_float2((float)a.x, (float)a.y); } \
D H __low2##N(M a) { return a.x; } \
D H __high2##N(M a) { return a.y; } \
D H __ushort2##N##_rn(unsigned short a) { return H((float)a); } \
D H __uint2##N##_rn(unsigned a) { return H((float)a); } \
D H __short2##N##_rn(short a) { return H((float)a); } \
D unsigned P##uint_rn(H a) { return (unsigned)__float2int_rn((float)a); } \
D short __##N##_as_short(H a) { return a.__x; } \
D H __short_as_##N(short a) { H h; h.__x = a; return h; } \
D M __lows2##M(M a, M b) { return M(a.x, b.x); } \
D M __highs2##M(M a, M b) { return M(a.y, b.y); } \
D M __low2##M(M a) { return M(a.x, a.x); } \
D M __high2##M(M a) { return M(a.y, a.y); } \
D M __lowhigh2highlow(M a) { return M(a.y, a.x); } \
D float __low2float(M a) { return (float)a.x; } \
D float __high2float(M a) { return (float)a.y; }
typedef __nv_bfloat162 bfloat162;
CONV(__half, half, half2, __half2, __half22) CONV(__nv_bfloat16, bfloat16, bfloat162, __bfloat162, __bfloat1622)
