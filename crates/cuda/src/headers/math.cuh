#define D inline __device__
#define OP2(V, M, T, O) \
D V operator O(V a, V b) { return M(a.x O b.x, a.y O b.y); } \
D V operator O(V a, T b) { return M(a.x O b, a.y O b); } \
D V operator O(T a, V b) { return M(a O b.x, a O b.y); } \
D void operator O##=(V &a, V b) { a.x O##= b.x; a.y O##= b.y; } \
D void operator O##=(V &a, T b) { a.x O##= b; a.y O##= b; }
#define OP3(V, M, T, O) \
D V operator O(V a, V b) { return M(a.x O b.x, a.y O b.y, a.z O b.z); } \
D V operator O(V a, T b) { return M(a.x O b, a.y O b, a.z O b); } \
D V operator O(T a, V b) { return M(a O b.x, a O b.y, a O b.z); } \
D void operator O##=(V &a, V b) { a.x O##= b.x; a.y O##= b.y; a.z O##= b.z; } \
D void operator O##=(V &a, T b) { a.x O##= b; a.y O##= b; a.z O##= b; }
#define OP4(V, M, T, O) \
D V operator O(V a, V b) { return M(a.x O b.x, a.y O b.y, a.z O b.z, a.w O b.w); } \
D V operator O(V a, T b) { return M(a.x O b, a.y O b, a.z O b, a.w O b); } \
D V operator O(T a, V b) { return M(a O b.x, a O b.y, a O b.z, a O b.w); } \
D void operator O##=(V &a, V b) { a.x O##= b.x; a.y O##= b.y; a.z O##= b.z; a.w O##= b.w; } \
D void operator O##=(V &a, T b) { a.x O##= b; a.y O##= b; a.z O##= b; a.w O##= b; }
#define ALL(T, S) \
OP2(T##2, make_##T##2, S, +) OP2(T##2, make_##T##2, S, -) OP2(T##2, make_##T##2, S, *) OP2(T##2, make_##T##2, S, /) \
OP3(T##3, make_##T##3, S, +) OP3(T##3, make_##T##3, S, -) OP3(T##3, make_##T##3, S, *) OP3(T##3, make_##T##3, S, /) \
OP4(T##4, make_##T##4, S, +) OP4(T##4, make_##T##4, S, -) OP4(T##4, make_##T##4, S, *) OP4(T##4, make_##T##4, S, /) \
D S dot(T##2 a, T##2 b) { return a.x * b.x + a.y * b.y; } \
D S dot(T##3 a, T##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; } \
D S dot(T##4 a, T##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; } \
D T##2 make_##T##2(S s) { return make_##T##2(s, s); } \
D T##3 make_##T##3(S s) { return make_##T##3(s, s, s); } \
D T##4 make_##T##4(S s) { return make_##T##4(s, s, s, s); } \
D T##2 make_##T##2(T##3 a) { return make_##T##2(a.x, a.y); } \
D T##3 make_##T##3(T##2 a) { return make_##T##3(a.x, a.y, 0); } \
D T##3 make_##T##3(T##2 a, S s) { return make_##T##3(a.x, a.y, s); } \
D T##3 make_##T##3(T##4 a) { return make_##T##3(a.x, a.y, a.z); } \
D T##4 make_##T##4(T##3 a) { return make_##T##4(a.x, a.y, a.z, 0); } \
D T##4 make_##T##4(T##3 a, S w) { return make_##T##4(a.x, a.y, a.z, w); } \
EACH(T, S, min) EACH(T, S, max) \
D T##2 clamp(T##2 v, T##2 a, T##2 b) { return max(a, min(v, b)); } \
D T##3 clamp(T##3 v, T##3 a, T##3 b) { return max(a, min(v, b)); } \
D T##4 clamp(T##4 v, T##4 a, T##4 b) { return max(a, min(v, b)); } \
D T##2 clamp(T##2 v, S a, S b) { return max(make_##T##2(a), min(v, make_##T##2(b))); } \
D T##3 clamp(T##3 v, S a, S b) { return max(make_##T##3(a), min(v, make_##T##3(b))); } \
D T##4 clamp(T##4 v, S a, S b) { return max(make_##T##4(a), min(v, make_##T##4(b))); } \
D S clamp(S v, S a, S b) { return max(a, min(v, b)); }
#define EACH(T, S, F) \
D T##2 F(T##2 a, T##2 b) { return make_##T##2(F(a.x, b.x), F(a.y, b.y)); } \
D T##3 F(T##3 a, T##3 b) { return make_##T##3(F(a.x, b.x), F(a.y, b.y), F(a.z, b.z)); } \
D T##4 F(T##4 a, T##4 b) { return make_##T##4(F(a.x, b.x), F(a.y, b.y), F(a.z, b.z), F(a.w, b.w)); }
#define ONE(F, G) \
D float2 F(float2 a) { return make_float2(G(a.x), G(a.y)); } \
D float3 F(float3 a) { return make_float3(G(a.x), G(a.y), G(a.z)); } \
D float4 F(float4 a) { return make_float4(G(a.x), G(a.y), G(a.z), G(a.w)); }
#define LEN(V) \
D float length(V v) { return sqrtf(dot(v, v)); } \
D V normalize(V v) { return v * rsqrtf(dot(v, v)); } \
D V lerp(V a, V b, float t) { return a + t * (b - a); } \
D V reflect(V i, V n) { return i - 2.0f * n * dot(n, i); } \
D V smoothstep(V a, V b, V x) { V y = clamp((x - a) / (b - a), 0.0f, 1.0f); return y * y * (3.0f - 2.0f * y); }
ALL(float, float) ALL(int, int) ALL(uint, unsigned int)
EACH(float, float, fminf) EACH(float, float, fmaxf) EACH(float, float, fmodf)
ONE(operator-, -) ONE(fabs, fabsf) ONE(floorf, floorf) ONE(fracf, fracf)
LEN(float2) LEN(float3) LEN(float4)
D int2 operator-(int2 a) { return make_int2(-a.x, -a.y); }
D int3 operator-(int3 a) { return make_int3(-a.x, -a.y, -a.z); }
D int4 operator-(int4 a) { return make_int4(-a.x, -a.y, -a.z, -a.w); }
D float2 make_float2(int2 a) { return make_float2(float(a.x), float(a.y)); }
D float3 make_float3(int3 a) { return make_float3(float(a.x), float(a.y), float(a.z)); }
D float4 make_float4(int4 a) { return make_float4(float(a.x), float(a.y), float(a.z), float(a.w)); }
D float fracf(float v) { return v - floorf(v); }
D float lerp(float a, float b, float t) { return a + t * (b - a); }
D float smoothstep(float a, float b, float x) { float y = clamp((x - a) / (b - a), 0.0f, 1.0f); return y * y * (3.0f - 2.0f * y); }
D float3 cross(float3 a, float3 b) { return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
