//// adam 1
typedef enum { ADAM_MODE_0 = 0, ADAM_MODE_1 = 1 } adamMode_t;
template <typename T, typename G> __global__ void adam(T* __restrict__ p, T* __restrict__ m, T* __restrict__ v, const G* __restrict__ g, const float b1, const float b2, const float eps, const float grad_scale, const float step_size, const int time_step, const size_t vector_size, adamMode_t mode, const float decay) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x, totThreads = gridDim.x * (size_t)blockDim.x;
  for (size_t j = i; j < vector_size; j += totThreads) for (int t = 1; t <= time_step; t++) {
    T scaled_grad = g[j] / grad_scale; m[j] = b1*m[j] + (1.f-b1)*scaled_grad; v[j] = b2*v[j] + (1.f-b2)*scaled_grad*scaled_grad;
    float m_corrected = m[j] / (1.f-powf(b1, t)), denom; if (mode == ADAM_MODE_0) denom = sqrtf(v[j] + eps); else denom = sqrtf(v[j]) + eps;
    p[j] -= step_size * ((m_corrected/denom) + (decay*p[j]));
  }
}
int main(int argc, char* argv[]) {
  if (argc != 4) { printf("Usage: %s <vector size> <number of time steps> <repeat>\n", argv[0]); return 1; }
  const int vector_size = atoi(argv[1]), time_step = atoi(argv[2]), repeat = atoi(argv[3]); size_t size_bytes = vector_size * sizeof(float);
  float *d_m, *d_v, *d_g, *d_p; cudaMalloc((void**)&d_m, size_bytes); cudaMalloc((void**)&d_v, size_bytes); cudaMalloc((void**)&d_g, size_bytes); cudaMalloc((void**)&d_p, size_bytes);
  dim3 grids((vector_size+255)/256), blocks(256); adamMode_t mode = ADAM_MODE_0; auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < repeat; i++) adam<float, float><<<grids, blocks>>>(d_p, d_m, d_v, d_g, 0.9f, 0.999f, 1e-8f, 1.f, 1e-3f, time_step, vector_size, mode, 0.5f);
}
//// complexMandel 1
#include <cuComplex.h>
#include <thrust/complex.h>
__device__ cuFloatComplex jl(cuFloatComplex z, cuFloatComplex c) { return cuCaddf(cuCmulf(z, z), c); }
__global__ void k1(int *out, int w, float x0) { int i = blockIdx.x * blockDim.x + threadIdx.x; cuFloatComplex z = make_cuFloatComplex(0, 0), c = make_cuFloatComplex(x0 + i, 0.5f); int n = 0; while (n < 8 && cuCabsf(z) < 2.f) { z = jl(z, c); n++; } cuDoubleComplex d = cuCdiv(make_cuDoubleComplex(1, 2), cuConj(make_cuDoubleComplex(cuCrealf(z), cuCimagf(z)))); out[i] = n + (int)cuCreal(d); }
template <typename T> __global__ void k2(const thrust::complex<T> *a, thrust::complex<T> *b, int n) { using C = thrust::complex<T>; int i = threadIdx.x; if (i >= n) return; C z = a[i]; C w(1, 2); z = z * w + C(0, T(1)) / conj(z); z *= T(2); z += w; b[i] = thrust::exp(z) * thrust::norm(z) + z.real() - abs(w) + C{z.imag()}; }
template __global__ void k2<float>(const thrust::complex<float> *, thrust::complex<float> *, int);
//// enumClassNs 1
namespace detail { enum class Op : int { Add, Mul, Max = 7 }; constexpr int kWarp = 32; template <typename T> __host__ __device__ constexpr T cdiv(T a, T b) { return (a + b - 1) / b; } }
using detail::Op; using index_t = int64_t; using uint = unsigned int;
template <Op op, typename T> __device__ __forceinline__ T apply(T a, T b) { if constexpr (op == Op::Add) return a + b; else if constexpr (op == Op::Mul) return a * b; else return ::max(a, b); }
template <typename scalar_t, Op op> __global__ void __launch_bounds__(256) run(scalar_t *__restrict__ out, const scalar_t *__restrict__ in, const index_t n) {
  constexpr index_t kItems = detail::cdiv<index_t>(7, 2); scalar_t acc[kItems] = {};
  const index_t base = index_t(blockIdx.x) * blockDim.x + threadIdx.x;
#pragma unroll
  for (index_t k = 0; k < kItems; ++k) if (base + k < n) acc[k] = in[base + k];
  scalar_t r{}; for (auto &v : acc) r = apply<op>(r, v);
  switch (static_cast<int>(op)) { case static_cast<int>(Op::Add): r += 1; [[fallthrough]]; case 1: r += 2; break; default: ; }
  if (base < n) out[base] = r;
}
int main() { float *a, *b; cudaMalloc(&a, 4096); cudaMalloc(&b, 4096); run<float, Op::Add><<<detail::cdiv(1024, 256), 256>>>(a, b, 1024); run<float, detail::Op::Max><<<4, 256>>>(a, b, 1024); }
//// bitTricks 1
#include <stdint.h>
typedef union { float f; uint32_t u; struct { uint32_t mantissa : 23; uint32_t exponent : 8; uint32_t sign : 1; } parts; } float_bits;
struct Flags { unsigned a : 3, b : 5; unsigned : 4; unsigned c : 20; };
__device__ __forceinline__ uint32_t rotl(uint32_t x, int r) { return __funnelshift_l(x, x, r); }
__global__ void bits(uint32_t *o, const float *x, unsigned long long *p, int n) {
  int i = threadIdx.x; float_bits b; b.f = x[i]; Flags f; f.a = i; f.b = i + 1; f.c = 7; f.c += 3;
  uint32_t r = b.parts.exponent ^ (b.parts.sign << 8) ^ rotl(b.u, 5); r += __brev(i) + __popcll(p[i]) + __ffsll((long long)p[i]) + __clzll(p[i]) + __byte_perm(r, i, 0x1032);
  r ^= __vadd4(r, 0x01010101) + __vcmpgts2(r, i) + f.a + f.b + f.c + sizeof(Flags); r += __double2hiint((double)x[i]) + __float_as_uint(__uint_as_float(r));
  r ^= __match_any_sync(0xffffffff, i & 3) + __reduce_add_sync(~0u, i) + __activemask() + __fns(0xff, 0, 2); int pred; r += __match_all_sync(~0u, 5, &pred) + pred; r += __rhadd(i, 3) + __hadd(i, 3) + __uhadd(3u, 5u) + __dp4a(r, r, 1u) + __dp2a_lo(1, 2, 3);
  o[i] = r;
}
//// atomicFlavours 1
#include <cuda/atomic>
__device__ double atomicAddD(double* address, double val) { unsigned long long int* p = (unsigned long long int*)address; unsigned long long int old = *p, assumed; do { assumed = old; old = atomicCAS(p, assumed, __double_as_longlong(val + __longlong_as_double(assumed))); } while (assumed != old); return __longlong_as_double(old); }
__device__ __forceinline__ float atomicMaxF(float* addr, float value) { return (value >= 0) ? __int_as_float(atomicMax((int*)addr, __float_as_int(value))) : __uint_as_float(atomicMin((unsigned int*)addr, __float_as_uint(value))); }
__global__ void k(double *d, float *f, int *n, unsigned long long *u) {
  int i = threadIdx.x; atomicAddD(d, 1.0); atomicMaxF(f, (float)i); atomicAdd_block(n, 1); atomicAdd_system(n + 1, 2); atomicMax(u, (unsigned long long)i); atomicAnd(u + 1, 3ull);
  cuda::atomic_ref<int, cuda::thread_scope_device> r(n[2]); r.fetch_add(1, cuda::memory_order_relaxed); r.fetch_max(3); int e = 4; r.compare_exchange_strong(e, 5); n[3] = r.load();
  cuda::std::atomic_ref<int> q{n[4]}; q.store(7); ++n[5]; __threadfence();
  __shared__ cuda::atomic<int, cuda::thread_scope_block> c; if (i == 0) new (&c) cuda::atomic<int, cuda::thread_scope_block>(0); __syncthreads(); c.fetch_add(1); __syncthreads(); n[6] = c.load();
}
//// bsearchLambda 1
template <typename T, typename F> __device__ void for_each_lane(T n, F f) { for (T i = threadIdx.x; i < n; i += blockDim.x) f(i); }
template <typename... Args> __device__ auto sum_all(Args... args) { return (args + ...); }
template <typename T> struct Less { __host__ __device__ bool operator()(const T &a, const T &b) const { return a < b; } };
template <class Compare = Less<int>> __device__ int lower(const int *a, int n, int key, Compare cmp = Compare{}) { int lo = 0, hi = n; while (lo < hi) { const int mid = lo + (hi - lo) / 2; if (cmp(a[mid], key)) lo = mid + 1; else hi = mid; } return lo; }
__global__ void search(const int *__restrict__ a, const int *__restrict__ z, int *__restrict__ r, int n, int m) {
  auto find = [&](int key) -> int { return lower(a, n, key); }; const auto base = [=] __device__ (auto x) { return x * 2; };
  for_each_lane(m, [=](int i) { r[i] = find(z[i]) + base(1) + sum_all(1, 2, 3); });
}
//// sharedCarve 1
struct alignas(16) Body { float3 pos; float mass; __host__ __device__ Body() : pos{0.f, 0.f, 0.f}, mass(0.f) {} __device__ Body(float x) : pos(make_float3(x, x, x)), mass(x) {} __device__ Body operator+(const Body &o) const { Body r; r.pos.x = pos.x + o.pos.x; r.mass = mass + o.mass; return r; } __device__ Body &operator+=(const Body &o) { *this = *this + o; return *this; } };
__global__ void carve(const Body *in, Body *out, int n) {
  extern __shared__ __align__(16) unsigned char raw[]; Body *bodies = reinterpret_cast<Body *>(raw); int *idx = reinterpret_cast<int *>(&bodies[blockDim.x]); float *w = (float *)(idx + blockDim.x);
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t; bodies[t] = i < n ? in[i] : Body(); idx[t] = t ^ 1; w[t] = __ldg(&in[i].mass); __syncthreads();
  Body b = bodies[idx[t]]; b += Body(w[t]); Body c = b + bodies[t], d = c; if (i < n) out[i] = d;
}
int main() { Body *a, *b; cudaMalloc(&a, 1024 * sizeof(Body)); cudaMalloc(&b, 1024 * sizeof(Body)); int threads = 128; carve<<<8, threads, threads * (sizeof(Body) + sizeof(int) + sizeof(float))>>>(a, b, 1024); }
//// cubSort 2
#include <cub/cub.cuh>
template <int BLOCK_THREADS, int ITEMS_PER_THREAD, cub::BlockScanAlgorithm ALG> __global__ void scanKernel(int *d_in, int *d_out, clock_t *d_elapsed) {
  typedef cub::BlockLoad<int, BLOCK_THREADS, ITEMS_PER_THREAD, cub::BLOCK_LOAD_WARP_TRANSPOSE> BlockLoadT; typedef cub::BlockStore<int, BLOCK_THREADS, ITEMS_PER_THREAD, cub::BLOCK_STORE_WARP_TRANSPOSE> BlockStoreT; typedef cub::BlockScan<int, BLOCK_THREADS, ALG> BlockScanT;
  __shared__ union TempStorage { typename BlockLoadT::TempStorage load; typename BlockStoreT::TempStorage store; typename BlockScanT::TempStorage scan; } temp_storage;
  int data[ITEMS_PER_THREAD]; BlockLoadT(temp_storage.load).Load(d_in, data); __syncthreads(); clock_t start = clock(); int aggregate; BlockScanT(temp_storage.scan).ExclusiveSum(data, data, aggregate); clock_t stop = clock(); __syncthreads(); BlockStoreT(temp_storage.store).Store(d_out, data);
  if (threadIdx.x == 0) { *d_elapsed = (start > stop) ? start - stop : stop - start; d_out[BLOCK_THREADS * ITEMS_PER_THREAD] = aggregate; }
}
template <typename Key, int BLOCK_THREADS, int ITEMS> __launch_bounds__(BLOCK_THREADS) __global__ void sortKernel(Key *d_in, Key *d_out) {
  using BlockRadixSort = cub::BlockRadixSort<Key, BLOCK_THREADS, ITEMS>; __shared__ typename BlockRadixSort::TempStorage s; Key items[ITEMS]; int off = blockIdx.x * BLOCK_THREADS * ITEMS;
  cub::LoadDirectStriped<BLOCK_THREADS>(threadIdx.x, d_in + off, items); BlockRadixSort(s).SortBlockedToStriped(items); cub::StoreDirectStriped<BLOCK_THREADS>(threadIdx.x, d_out + off, items);
}
int main() { int *a, *b; clock_t *c; cudaMalloc(&a, 4096); cudaMalloc(&b, 8192); cudaMalloc(&c, 64); scanKernel<64, 4, cub::BLOCK_SCAN_RAKING><<<1, 64>>>(a, b, c); sortKernel<int, 64, 4><<<2, 64>>>(a, b); }
//// thrustFunctors 1
#include <thrust/device_vector.h>
#include <thrust/tuple.h>
#include <thrust/pair.h>
#include <thrust/functional.h>
#include <thrust/transform_reduce.h>
typedef thrust::tuple<float, int> item; 
struct dist { const float *c; int k; dist(float *c_, int k_) : c(c_), k(k_) {} __host__ __device__ thrust::pair<int, float> operator()(const item &t) const { float best = 1e30f; int at = 0; for (int i = 0; i < k; i++) { float d = thrust::get<0>(t) - c[i]; if (d * d < best) { best = d * d; at = i + thrust::get<1>(t); } } return thrust::make_pair(at, best); } };
__global__ void assign(const float *x, float *cent, int *out, int n, int k) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) { dist d(cent, k); item it = thrust::make_tuple(x[i], i); thrust::pair<int, float> r = d(it); int a; float b; thrust::tie(a, b) = thrust::make_tuple(r.first, r.second); out[i] = a + (int)thrust::plus<float>()(b, 1.f); } }
int main() { thrust::device_vector<float> x(1024), c(8); thrust::device_vector<int> o(1024); assign<<<4, 256>>>(thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(&c[0]), o.data().get(), 1024, 8); }
//// special 1
#define C 2.0
__global__ void special(double *o, const float *x, float *f) { int i = threadIdx.x; double v = x[i]; float a = x[i];
  o[i] = erf(v) + erfc(v) + lgamma(v + 1) + tgamma(v + 1) + normcdf(v) + normcdfinv(0.3) + j0(v) + j1(v) + jn(2, v) + y0(v + 1) + y1(v + 1) + yn(3, v + 1) + cyl_bessel_i0(v) + cyl_bessel_i1(v) + erfinv(0.5) + erfcinv(0.5) + erfcx(v) + rhypot(v, C) + norm3d(v, v, v) + rnorm3d(1., v, v) + rcbrt(v + 1) + logb(v + 1) + exp10(v) + cospi(v) + fma(v, v, v) + scalbn(v, 2) + nan("");
  float s, c; sincosf(a, &s, &c); __sincosf(a, &s, &c); sincospif(a, &s, &c); int e; float m = frexpf(a, &e); float ip; m += modff(a, &ip); int q; m += remquof(a, 2.f, &q);
  f[i] = s + c + m + e + ip + rsqrtf(a) + __expf(a) + __logf(a) + __sinf(a) + __tanf(a) + __powf(a, 2.f) + __fdividef(a, 3.f) + __saturatef(a) + fdimf(a, 1.f) + j0f(a) + y0f(a + 1) + ynf(2, a + 1.f) + ilogbf(a + 1) + lrintf(a) + llroundf(a) + truncf(a) + nearbyintf(a) + fminf(a, 1) + copysignf(1.f, a) + __frsqrt_rn(a) + __fmaf_rz(a, a, a) + __fsqrt_rd(a) + __exp10f(a) + norm4df(a, a, a, a) + erfcinvf(.4f) + normcdff(a) + cyl_bessel_i0f(a) + isnan(a) + isinf(v) + signbit(a) + __isnanf(a) + fmodf(a, 2.f) + std::abs(a) + std::sqrt(a) + std::pow(a, 2) + std::min(a, 1.f) + std::fabs(v) + ::exp(v) + std::hypot(a, a);
}
//// gotoSwitch 1
extern "C" __global__ void automaton(const char *__restrict__ s, int *out, const int len) {
  int i = 0, state = 0, count = 0; if (blockIdx.x * blockDim.x + threadIdx.x >= len) goto done;
again:
  switch (state) { case 0: if (s[i] > 64) { state = 1; break; } case 1: case 2: { int k = s[i] & 3; count += k; state = k == 3 ? 2 : 0; } break; default: goto done; }
  if (++i < 16) goto again;
done: (count & 1 ? state : count) = i, out[blockIdx.x * blockDim.x + threadIdx.x] = count;
}
//// managedStatic 2
__managed__ int counter = 5; __device__ static float table[4][4] = {{1, 2}, {3}}; static __device__ __constant__ const double coef[] = {1.0, .5, .25}; __device__ volatile int flag; const static int kN = 4; static constexpr float kEps = 1e-6f; __device__ const float kTab[3] = {1, 2, 3}; __device__ int *ptr_g;
__device__ const char *msg = "hi"; __device__ float (*nope)[4];
template <int N> struct Poly { static constexpr int degree = N; __device__ static double eval(double x) { double r = 0; 
#pragma unroll (N)
    for (int i = 0; i < N; ++i) r = r * x + coef[i % 3]; return r; } };
__global__ void eval(double *out, const double *in, int n) { int i = blockDim.x * blockIdx.x + threadIdx.x; if (i < n) out[i] = Poly<kN>::eval(in[i]) + table[i & 3][1] + Poly<2>::degree + kTab[i % 3] + kEps; if (i == 0) { atomicAdd(&counter, 1); flag = 1; } }
__global__ void init_ptr(int *p) { if (threadIdx.x == 0) ptr_g = p; p[threadIdx.x] = counter; }
//// multidim 2
#define IDX3(i, j, k) (((i) * NY + (j)) * NZ + (k))
const int NX = 8, NY = 8, NZ = 16;
typedef float grid_t[NY][NZ]; typedef double mat3[3][3];
__device__ void mul33(const mat3 a, const double b[3], double c[]) { for (int i = 0; i < 3; i++) { c[i] = 0; for (int j = 0; j < 3; j++) c[i] += a[i][j] * b[j]; } }
__global__ void stencil(grid_t *out, const float in[][NY][NZ], float (*__restrict__ w)[3]) { int k = threadIdx.x, j = threadIdx.y, i = blockIdx.x; mat3 m = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; double v[3] = {1, 2, 3}, r[3]; mul33(m, v, r); if (i < NX && j < NY && k < NZ) out[i][j][k] = in[i][j][k] * w[i % 3][1] + r[2]; }
__global__ void flat(float *__restrict__ a, const int ld) { float (*m)[NZ] = (float (*)[NZ])a; auto &row = m[threadIdx.x]; row[3] = 1; const float(&c)[NZ] = m[0]; a[threadIdx.x] += c[1]; }
int main() { float *a, *b, *w; cudaMalloc(&a, NX*NY*NZ*4); cudaMalloc(&b, NX*NY*NZ*4); cudaMalloc(&w, 36); dim3 block(NZ, NY); stencil<<<NX, block>>>((grid_t*)a, (float (*)[NY][NZ])b, (float (*)[3])w); flat<<<1, 32>>>(a, 16); }
//// designated 1
struct Cfg { int w, h; float s; struct Inner { int a; int b[2]; } in; }; enum { TILE = 16, PAD = 1 };
__host__ __device__ inline Cfg mk(int w) { Cfg c = { .w = w, .h = 2, .s = 1.5f, .in = { .a = 1, .b = {2, 3} } }; return c; }
__global__ void d(float *o, Cfg cfg) { Cfg c = mk(cfg.w); Cfg e = {.h = 5}; Cfg *p = &c; p->in.b[1]++; __shared__ float t[TILE][TILE + PAD]; t[threadIdx.x & 15][0] = p->s; __syncthreads(); o[threadIdx.x] = t[0][0] + c.in.b[1] + e.h + e.w + (cfg.h ? 1 : 2); }
//// asmVolatile 2
__device__ __forceinline__ unsigned int ld_acquire(const unsigned int *p) { unsigned int v; asm volatile("ld.global.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ __forceinline__ unsigned lanemask_lt() { unsigned m; asm("mov.u32 %0, %%lanemask_lt;" : "=r"(m)); return m; }
__device__ __forceinline__ uint32_t smem_u32(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }
__device__ __forceinline__ void mul_wide(unsigned a, unsigned b, unsigned &lo, unsigned &hi) { asm("{\n\t.reg .u64 t;\n\tmul.wide.u32 t, %2, %3;\n\tmov.b64 {%0, %1}, t;\n\t}" : "=r"(lo), "=r"(hi) : "r"(a), "r"(b)); }
__global__ void ptx(unsigned *o, const unsigned *x) { __shared__ unsigned s[64]; unsigned t = threadIdx.x, lo, hi, b; mul_wide(x[t], 77u, lo, hi); asm volatile("st.shared.u32 [%0], %1;" :: "r"(smem_u32(&s[t & 63])), "r"(lo)); __syncwarp(); asm("bfe.u32 %0, %1, %2, %3;" : "=r"(b) : "r"(lo), "r"(4), "r"(8)); asm("add.cc.u32 %0, %0, %2; addc.u32 %1, %1, %3;" : "+r"(lo), "+r"(hi) : "r"(b), "r"(t)); asm volatile("vadd4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(b) : "r"(lo), "r"(hi), "r"(0)); asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(b) : "r"(b), "r"(lo), "r"(3)); asm("{ .reg .pred p; setp.ge.u32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(hi) : "r"(b), "r"(t)); asm volatile("red.global.add.u32 [%0], %1;" :: "l"(o + 64), "r"(1) : "memory"); o[t] = ld_acquire(x + t) + lanemask_lt() + s[t & 63] + hi; }
__global__ void mma(float *d, const unsigned *a, const float *c) { __shared__ alignas(128) unsigned sm[512]; int t = threadIdx.x; sm[t] = a[t]; __syncthreads(); unsigned r0, r1, r2, r3; unsigned addr = smem_u32(&sm[(t % 16) * 4]); asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n" : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3) : "r"(addr)); float f0 = c[t], f1 = 0, f2 = 0, f3 = 0; asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};\n" : "=f"(f0), "=f"(f1), "=f"(f2), "=f"(f3) : "r"(r0), "r"(r1), "r"(r2), "r"(r3), "r"(r0), "r"(r1), "f"(f0), "f"(f1), "f"(f2), "f"(f3)); d[t] = f0 + f1 + f2 + f3; }
//// virtualShapes 0 refused: virtual functions
class Shape { public: __device__ virtual float area() const = 0; __device__ virtual ~Shape() {} };
class Circle : public Shape { float r; public: __device__ Circle(float r) : r(r) {} __device__ float area() const override { return 3.14f * r * r; } };
class Square final : public Shape { float a; public: __device__ Square(float a) : a(a) {} __device__ float area() const override { return a * a; } };
__global__ void areas(float *o, const float *x) { int i = threadIdx.x; Circle c(x[i]); Square s(x[i]); Shape *p = i & 1 ? (Shape *)&c : (Shape *)&s; o[i] = p->area() + c.area(); }
//// curandMc 2
#include <curand_kernel.h>
__global__ void setup(curandState *state, unsigned long seed) { int id = threadIdx.x + blockIdx.x * blockDim.x; curand_init(seed, id, 0, &state[id]); }
__global__ void pi(curandState *global, int *count, int n) { int id = threadIdx.x + blockIdx.x * blockDim.x; curandState l = global[id]; int c = 0; for (int i = 0; i < n; i++) { float x = curand_uniform(&l), y = curand_uniform(&l); if (x * x + y * y < 1) c++; } curandStateMRG32k3a m; curand_init(1, id, 0, &m); float2 z = curand_normal2(&l); unsigned q = curand_poisson(&l, 3.0); count[id] = c + (int)curand_uniform_double(&m) + (z.x > 0) + q + curand(&l) % 2; global[id] = l; }
//// halfNet 1
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cstdint>
template <typename T> struct TypeTraits; template <> struct TypeTraits<__half> { using V2 = __half2; static __device__ float to(__half h) { return __half2float(h); } static __device__ __half from(float f) { return __float2half_rn(f); } }; template <> struct TypeTraits<__nv_bfloat16> { using V2 = __nv_bfloat162; static __device__ float to(__nv_bfloat16 h) { return __bfloat162float(h); } static __device__ __nv_bfloat16 from(float f) { return __float2bfloat16_rn(f); } };
template <typename T, int VEC> struct alignas(sizeof(T) * VEC) Pack { T v[VEC]; __device__ T &operator[](int i) { return v[i]; } __device__ const T &operator[](int i) const { return v[i]; } };
template <typename T> __global__ void gelu(T *__restrict__ out, const T *__restrict__ in, int64_t n) {
  using Vec = Pack<T, 8>; for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n / 8; i += (int64_t)gridDim.x * blockDim.x) { Vec v = *reinterpret_cast<const Vec *>(in + i * 8), r;
#pragma unroll
    for (int j = 0; j < 8; j++) { float x = TypeTraits<T>::to(v[j]); r[j] = TypeTraits<T>::from(0.5f * x * (1.0f + tanhf(0.79788456f * (x + 0.044715f * x * x * x)))); } reinterpret_cast<Vec *>(out)[i] = r; }
  __half2 h = __halves2half2(__float2half(1.f), __ushort2half_rn(3)); h = __hmul2(h, h2exp(h)); __half z = __hadd(h.x, __hmax(h.y, __hsub(h.x, h.y))); if (__hgt(z, h.x) && __hbgt2(h, h)) out[0] = TypeTraits<T>::from((float)z + __half2int_rn(z) + (float)(__hfma(z, z, z) * __half(2))); if (n == 0) atomicAdd((__half2 *)out, h);
}
template __global__ void gelu<__half>(__half *, const __half *, int64_t); 
int main() { __half *a; cudaMalloc(&a, 8192); gelu<__half><<<2, 128>>>(a, a, 4096); __nv_bfloat16 *b; cudaMalloc(&b, 8192); gelu<<<2, 128>>>(b, b, (int64_t)4096); }
//// structOps 1
struct vec3 { union { struct { float x, y, z; }; float e[3]; }; __host__ __device__ vec3() {} __host__ __device__ vec3(float a, float b, float c) : x(a), y(b), z(c) {} __host__ __device__ inline float operator[](int i) const { return e[i]; } __host__ __device__ inline float &operator[](int i) { return e[i]; } __host__ __device__ inline const vec3 &operator+() const { return *this; } __host__ __device__ inline vec3 operator-() const { return vec3(-x, -y, -z); } __host__ __device__ vec3 &operator*=(const float t) { e[0] *= t; e[1] *= t; e[2] *= t; return *this; } friend __host__ __device__ vec3 operator*(float t, const vec3 &v) { return vec3(t * v.x, t * v.y, t * v.z); } __host__ __device__ float squared_length() const { return x * x + y * y + z * z; } };
inline std::ostream &operator<<(std::ostream &os, const vec3 &t) { os << t.e[0]; return os; }
__host__ __device__ inline vec3 operator+(const vec3 &a, const vec3 &b) { return vec3(a.x + b.x, a.y + b.y, a.z + b.z); }
__host__ __device__ inline float dot(const vec3 &a, const vec3 &b) { return a.e[0] * b.e[0] + a.e[1] * b.e[1] + a.e[2] * b.e[2]; }
class ray { public: __device__ ray() {} __device__ ray(const vec3 &a, const vec3 &b) { A = a; B = b; } __device__ vec3 origin() const { return A; } __device__ vec3 point_at(float t) const { return A + t * B; } vec3 A, B; };
__device__ bool hit(const vec3 &c, float r, const ray &q) { vec3 oc = q.origin() + -c; float a = dot(q.B, q.B), b = 2.0f * dot(oc, q.B), d = b * b - 4.0f * a * (dot(oc, oc) - r * r); return d > 0.0f; }
__global__ void render(vec3 *fb, int max_x, int max_y, vec3 corner, vec3 hor, vec3 origin) { int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y; if ((i >= max_x) || (j >= max_y)) return; ray r(origin, corner + float(i) / max_x * hor); vec3 col = hit(vec3(0, 0, -1), 0.5, r) ? vec3(1, 0, 0) : +r.point_at(2); col *= 0.5f; col[1] += col.squared_length(); fb[j * max_x + i] = col; }
int main() { int nx = 64, ny = 32; vec3 *fb; cudaMallocManaged((void **)&fb, nx * ny * sizeof(vec3)); dim3 blocks(nx / 8 + 1, ny / 8 + 1), threads(8, 8); render<<<blocks, threads>>>(fb, nx, ny, vec3(-2.0, -1.0, -1.0), vec3(4.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)); }
//// recursionDevice 1
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ void qsort_dev(int *a, int lo, int hi) { if (lo >= hi) return; int p = a[hi], i = lo; for (int j = lo; j < hi; j++) if (a[j] < p) { int t = a[i]; a[i] = a[j]; a[j] = t; i++; } a[hi] = a[i]; a[i] = p; qsort_dev(a, lo, i - 1); qsort_dev(a, i + 1, hi); }
__global__ void rec(int *a, int n) { a[threadIdx.x] = fib(5) + n; }
//// cudaStd 1
#include <cuda/std/array>
#include <cuda/std/tuple>
#include <cuda/std/limits>
#include <cuda/std/complex>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>
template <typename T, std::enable_if_t<std::is_floating_point<T>::value, int> = 0> __device__ T ident() { return T(1); }
template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0> __device__ T ident() { return T(0); }
template <typename T, size_t N> __device__ T total(const cuda::std::array<T, N> &a) { T s{}; for (size_t i = 0; i < a.size(); ++i) s += a[i]; return s; }
template <typename T> using acc_t = typename std::conditional<std::is_same<T, float>::value, double, T>::type;
__global__ void stdk(float *o, const float *x, int n) { cuda::std::array<float, 4> a = {1.f, 2.f, 3.f, 4.f}; std::array<int, 3> b{{1, 2, 3}}; auto t = cuda::std::make_tuple(1, 2.f); acc_t<float> s = total(a) + ident<float>() + ident<int>() + b[1] + b.size(); float big = std::numeric_limits<float>::max(), inf = cuda::std::numeric_limits<float>::infinity(); cuda::std::complex<float> z(1, 2); z = z * z; int i = threadIdx.x; auto p = std::make_pair(i, 2.f); float u = 1, v = 2; std::swap(u, v); o[i] = x[i] < big && inf > 1 ? (float)s + cuda::std::get<1>(t) + z.real() + p.second + std::move(u) : std::max({1.f, 2.f, 3.f}); static_assert(std::is_same_v<acc_t<float>, double>, "type"); }
//// fnPtrParam 1
typedef float (*op_t)(float, float); using un_t = float (*)(float); __device__ float addf(float a, float b) { return a + b; } __device__ float mulf(float a, float b) { return a * b; } __device__ float sq(float a) { return a * a; }
__device__ op_t d_ops[2] = {addf, mulf}; template <op_t OP> __device__ float app(float a, float b) { return OP(a, b); }
__device__ float twice(un_t f, float x) { return f(f(x)); }
__global__ void fp(float *o, const float *x, int which) { int i = threadIdx.x; op_t f = which ? addf : mulf; op_t tab[2] = {addf, mulf}; o[i] = f(x[i], 2) + d_ops[i & 1](1, 2) + app<mulf>(x[i], 3) + twice(sq, x[i]) + tab[which & 1](1, 2); }
//// initList 0 refused: Matrix(int, int, int, int)
template <typename T, int R, int C> class Matrix { T d[R * C]; public: __device__ Matrix(std::initializer_list<T> l) { int i = 0; for (auto v : l) d[i++] = v; } __device__ Matrix() = default; __device__ T &operator()(int r, int c) { return d[r * C + c]; } __device__ const T &operator()(int r, int c) const { return d[r * C + c]; } template <int C2> __device__ Matrix<T, R, C2> operator*(const Matrix<T, C, C2> &o) const { Matrix<T, R, C2> m; for (int i = 0; i < R; i++) for (int j = 0; j < C2; j++) { T s = 0; for (int k = 0; k < C; k++) s += (*this)(i, k) * o(k, j); m(i, j) = s; } return m; } };
__global__ void mm(float *o, const float *x) { Matrix<float, 2, 2> a{1, 2, 3, 4}, b; b(0, 0) = x[threadIdx.x]; b(1, 0) = b(0, 1) = b(1, 1) = 1; auto c = a * b; o[threadIdx.x] = c(1, 1) + c(0, 0); }
//// tmaTry 1
template <unsigned BLOCK> __device__ inline void warpReduce(volatile float *sdata, unsigned tid) { if (BLOCK >= 64) sdata[tid] += sdata[tid + 32]; if (BLOCK >= 32) sdata[tid] += sdata[tid + 16]; }
template <typename T> __inline__ __device__ T warpAll(T val) { 
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) val += __shfl_xor_sync(0xffffffffu, val, mask, 32); return val; }
template <typename T> __inline__ __device__ T blockReduceSum(T val) { static __shared__ T shared[32]; int lane = threadIdx.x & 0x1f, wid = threadIdx.x >> 5; val = warpAll<T>(val); if (lane == 0) shared[wid] = val; __syncthreads(); val = (threadIdx.x < (blockDim.x / 32.f)) ? shared[lane] : (T)(0.0f); val = warpAll<T>(val); return val; }
template <typename T> __global__ void layernorm(T *out, const T *input, const T *gamma, int m, int n) { int tid = threadIdx.x; __shared__ float s_mean, s_var; float local = 0.f; for (int i = tid; i < n; i += blockDim.x) local += (float)(__ldg(&input[blockIdx.x * n + i])); float mean = blockReduceSum<float>(local); if (threadIdx.x == 0) s_mean = mean / n; __syncthreads(); float d = local - s_mean; float var = blockReduceSum<float>(d * d); if (threadIdx.x == 0) s_var = rsqrtf(var / n + 1e-6f); __syncthreads(); for (int i = tid; i < n; i += blockDim.x) out[blockIdx.x * n + i] = (T)(((float)input[blockIdx.x * n + i] - s_mean) * s_var * (float)(__ldg(&gamma[i]))); }
int main() { float *a, *b, *g; cudaMalloc(&a, 65536); cudaMalloc(&b, 65536); cudaMalloc(&g, 4096); dim3 grid(16), block(min(1024, 1024)); layernorm<float><<<grid, block>>>(a, b, g, 16, 1024); }
//// clusterLaunch 1
__global__ void __cluster_dims__(2, 1, 1) clusterk(int *a) { a[threadIdx.x] = 1; }
//// tex1dGrad 1
__global__ void t(float4 *o, cudaTextureObject_t a, cudaTextureObject_t b) { float x = threadIdx.x; float4 g = tex2Dgather<float4>(a, x, 0.5f, 0); o[threadIdx.x] = make_float4(tex1DLod<float>(a, x, 0.f), tex2DLod<float>(b, x, 0.f, 0.f) + tex2DGrad<float>(b, x, 0.f, make_float2(1, 0), make_float2(0, 1)), tex1DLayered<float>(a, x, 1) + tex3D<float>(b, x, 0, 0), g.x); }
//// macroKernels 2
#define DEFINE_KERNEL(name, type, op) extern "C" __global__ void name##_##type(const type *__restrict__ a, type *__restrict__ b, const int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = a[i] op b[i]; }
DEFINE_KERNEL(add, float, +)
DEFINE_KERNEL(sub, double, -)
#define KERNEL_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define FOR_EACH(M, ...) M(__VA_ARGS__)
#define STRINGIFY(x) #x
#define UNROLL _Pragma("unroll")
__global__ void loopk(float *x, int n) { KERNEL_LOOP(i, n) { UNROLL for (int k = 0; k < 4; k++) x[i] += k; } }
//// forwardGlobals 1
typedef unsigned char byte; typedef struct Pixel_s Pixel; struct Pixel_s { byte r, g, b; }; struct Node; struct Node { int v; Node *next; Node() = default; };
static inline void CUDA_CHECK_(cudaError_t e, const char *f, int l) { if (e != cudaSuccess) { fprintf(stderr, "%s:%d\n", f, l); throw std::runtime_error("cuda"); } }
class Timer { std::chrono::time_point<std::chrono::high_resolution_clock> t0; public: Timer() : t0(std::chrono::high_resolution_clock::now()) {} double operator()() const { return 0; } };
__global__ void pixels(const Pixel *__restrict__ in, byte *__restrict__ out, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = byte(0.3f * in[i].r + 0.59f * in[i].g + .11f * in[i].b); }
template <class RandomIt> void host_only(RandomIt a, RandomIt b) { std::sort(a, b, [](const auto &x, const auto &y) { return x < y; }); }
//// ternaryPtr 1
__global__ void sel(float *a, float *b, int *n, int k) { int i = threadIdx.x; float *src = (k & 1) ? a : b, *dst = (k & 1) ? b : a; int *const q = n + 1; const int *const *pp = (const int *const *)&q; *(dst + i) = src[i]; (k ? a[i] : b[i]) += 2; dst[i] = (float)(q - n), n[i] = **pp; char c = "abc"[i % 3]; n[i] += c; unsigned long addr = (unsigned long)a; if (addr % 16 == 0) reinterpret_cast<float4 *>(a)[0] = make_float4(1, 2, 3, 4); float2 f2 = reinterpret_cast<float2 *>(b)[i]; b[0] = f2.x; int m = (i > 3, k); n[0] = m; bool ok = a != nullptr && b != NULL && !(n == 0); n[1] = ok; size_t bytes = sizeof(float) * 4 / sizeof *a; n[2] = bytes; }
//// selfRef 1
template <int N> struct Fact { enum { value = N * Fact<N - 1>::value }; }; template <> struct Fact<0> { enum { value = 1 }; };
template <typename T> struct Opt { T v; bool has; __device__ explicit operator bool() const { return has; } __device__ const T &operator*() const { return v; } __device__ const T *operator->() const { return &v; } };
struct P { int a; __device__ int get() const { return a; } }; template <class D> struct Base { __device__ int run(int x) { return static_cast<D *>(this)->impl(x); } }; struct Der : Base<Der> { __device__ int impl(int x) { return x + 1; } };
__global__ void self(int *o) { Opt<P> p{{3}, true}; Der d; if (p) o[threadIdx.x] = Fact<4>::value + p->get() + (*p).a + d.run(2); }
