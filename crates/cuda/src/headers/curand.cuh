#define D inline __device__
struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
D unsigned long long curand_mix(unsigned long long x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}
D void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStateXORWOW *s) {
  unsigned long long x = curand_mix(seed + 0x9e3779b97f4a7c15ull) + curand_mix(sequence + 1) + offset, y = curand_mix(x), z = curand_mix(x + y);
  s->v[0] = y; s->v[1] = y >> 32; s->v[2] = z; s->v[3] = z >> 32; s->v[4] = x | 1; s->d = x >> 32;
  s->boxmuller_flag = 0; s->boxmuller_flag_double = 0; s->boxmuller_extra = 0; s->boxmuller_extra_double = 0;
}
D unsigned curand(curandStateXORWOW *s) {
  unsigned t = s->v[0] ^ s->v[0] >> 2;
  s->v[0] = s->v[1]; s->v[1] = s->v[2]; s->v[2] = s->v[3]; s->v[3] = s->v[4];
  s->v[4] = (s->v[4] ^ s->v[4] << 4) ^ (t ^ t << 1);
  s->d += 362437;
  return s->v[4] + s->d;
}
D uint4 curand_philox(uint4 c, uint2 k) {
  for (int i = 0; i < 10; i++) {
    unsigned h0 = __umulhi(0xd2511f53u, c.x), l0 = 0xd2511f53u * c.x, h1 = __umulhi(0xcd9e8d57u, c.z), l1 = 0xcd9e8d57u * c.z;
    c = make_uint4(h1 ^ c.y ^ k.x, l1, h0 ^ c.w ^ k.y, l0);
    k.x += 0x9e3779b9u; k.y += 0xbb67ae85u;
  }
  return c;
}
D void curand_next(curandStatePhilox4_32_10 *s) {
  s->output = curand_philox(s->ctr, s->key);
  s->ctr.x += 1;
  if (s->ctr.x == 0) s->ctr.y += 1;
}
D void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStatePhilox4_32_10 *s) {
  s->ctr = make_uint4(offset / 4, offset >> 34, sequence, sequence >> 32);
  s->key = make_uint2(seed, seed >> 32);
  s->STATE = offset & 3; s->boxmuller_flag = 0; s->boxmuller_flag_double = 0; s->boxmuller_extra = 0; s->boxmuller_extra_double = 0;
  curand_next(s);
}
D unsigned curand(curandStatePhilox4_32_10 *s) {
  unsigned r = s->STATE == 0 ? s->output.x : s->STATE == 1 ? s->output.y : s->STATE == 2 ? s->output.z : s->output.w;
  s->STATE += 1;
  if (s->STATE == 4) { s->STATE = 0; curand_next(s); }
  return r;
}
D uint4 curand4(curandStatePhilox4_32_10 *s) { uint4 r = s->output; curand_next(s); return r; }
D float curand_unit(unsigned x) { return x * 2.3283064e-10f + 1.1641532e-10f; }
D float4 curand_uniform4(curandStatePhilox4_32_10 *s) { uint4 r = curand4(s); return make_float4(curand_unit(r.x), curand_unit(r.y), curand_unit(r.z), curand_unit(r.w)); }
template <class S> D float curand_uniform(S *s) { return curand_unit(curand(s)); }
template <class S> D double curand_uniform_double(S *s) { unsigned a = curand(s); unsigned long long z = (unsigned long long)a ^ (unsigned long long)curand(s) << 21; return z * 1.1102230246251565e-16 + 5.551115123125783e-17; }
template <class S> D float2 curand_normal2(S *s) { float u = curand_uniform(s), v = curand_uniform(s), r = sqrtf(-2.0f * logf(u)); return make_float2(r * sinf(6.2831853f * v), r * cosf(6.2831853f * v)); }
D float4 curand_normal4(curandStatePhilox4_32_10 *s) { float2 a = curand_normal2(s), b = curand_normal2(s); return make_float4(a.x, a.y, b.x, b.y); }
template <class S> D float curand_normal(S *s) {
  float r = s->boxmuller_extra;
  if (s->boxmuller_flag == 0) { float2 n = curand_normal2(s); r = n.x; s->boxmuller_extra = n.y; s->boxmuller_flag = 1; }
  else s->boxmuller_flag = 0;
  return r;
}
template <class S> D double curand_normal_double(S *s) {
  double r = s->boxmuller_extra_double;
  if (s->boxmuller_flag_double == 0) {
    double u = curand_uniform_double(s), v = curand_uniform_double(s), q = sqrt(-2.0 * log(u));
    r = q * sin(6.283185307179586 * v); s->boxmuller_extra_double = q * cos(6.283185307179586 * v); s->boxmuller_flag_double = 1;
  } else s->boxmuller_flag_double = 0;
  return r;
}
template <class S> D float curand_log_normal(S *s, float m, float d) { return expf(m + d * curand_normal(s)); }
struct curandStateMRG32k3a { unsigned s1[3], s2[3]; int boxmuller_flag, boxmuller_flag_double; float boxmuller_extra; double boxmuller_extra_double; };
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
D void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStateMRG32k3a *s) {
  unsigned long long x = curand_mix(seed + 0x9e3779b97f4a7c15ull) + curand_mix(sequence + 1) + offset;
  for (int i = 0; i < 3; i++) { x = curand_mix(x + i); s->s1[i] = (unsigned)(x % 4294967086ull) + 1; s->s2[i] = (unsigned)((x >> 32) % 4294944442ull) + 1; }
  s->boxmuller_flag = 0; s->boxmuller_flag_double = 0; s->boxmuller_extra = 0; s->boxmuller_extra_double = 0;
}
D unsigned curand(curandStateMRG32k3a *s) {
  long long p = (1403580ll * s->s1[1] - 810728ll * s->s1[0]) % 4294967087ll, q = (527612ll * s->s2[2] - 1370589ll * s->s2[0]) % 4294944443ll;
  if (p < 0) p += 4294967087ll;
  if (q < 0) q += 4294944443ll;
  s->s1[0] = s->s1[1]; s->s1[1] = s->s1[2]; s->s1[2] = p; s->s2[0] = s->s2[1]; s->s2[1] = s->s2[2]; s->s2[2] = q;
  return (unsigned)(p <= q ? p - q + 4294967087ll : p - q);
}
struct curandStateSobol32 { unsigned i, x, c; unsigned direction_vectors[32]; };
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateSobol32 curandStateScrambledSobol32;
typedef curandStateSobol32 curandStateScrambledSobol32_t;
typedef unsigned curandDirectionVectors32_t[32];
D void curand_init(unsigned *v, unsigned offset, curandStateSobol32 *s) { s->i = 0; s->x = 0; s->c = 0; for (int k = 0; k < 32; k++) s->direction_vectors[k] = v[k]; }
D void curand_init(unsigned *v, unsigned c, unsigned offset, curandStateSobol32 *s) { s->i = 0; s->x = c; s->c = c; for (int k = 0; k < 32; k++) s->direction_vectors[k] = v[k]; }
D unsigned curand(curandStateSobol32 *s) { unsigned r = s->x; s->x ^= s->direction_vectors[__ffs(~s->i) - 1 & 31]; s->i += 1; return r; }
template <class S> D double2 curand_normal2_double(S *s) { double a = curand_normal_double(s); return make_double2(a, curand_normal_double(s)); }
template <class S> D double curand_log_normal_double(S *s, double m, double d) { return exp(m + d * curand_normal_double(s)); }
template <class S> D float2 curand_log_normal2(S *s, float m, float d) { float2 n = curand_normal2(s); return make_float2(expf(m + d * n.x), expf(m + d * n.y)); }
D double2 curand_uniform2_double(curandStatePhilox4_32_10 *s) { double a = curand_uniform_double(s); return make_double2(a, curand_uniform_double(s)); }
D double4 curand_uniform4_double(curandStatePhilox4_32_10 *s) { double2 a = curand_uniform2_double(s), b = curand_uniform2_double(s); return make_double4(a.x, a.y, b.x, b.y); }
template <class S> D unsigned curand_poisson(S *s, double m) { double l = exp(-m), p = 1; unsigned k = 0; do { p *= curand_uniform_double(s); k++; } while (p > l && k < 1000); return k - 1; }
template <class S> D void skipahead(unsigned long long n, S *s) { for (unsigned long long i = 0; i < n; i++) curand(s); }
