//// variadic kernel template over element-wise inputs, if constexpr, structured bindings 1
//= elementwise <<<63, 128>>> n = 8000 out[8000]
#include <tuple>
#include <array>
#include <type_traits>
#include <cstdint>
enum class Op : int { Add, Mul, Max };
template <Op op, typename T> __device__ __forceinline__ T apply(T a, T b) {
  if constexpr (op == Op::Add) return a + b;
  else if constexpr (op == Op::Mul) return a * b;
  else return a > b ? a : b;
}
template <Op op, typename T> __device__ T combine(T a) { return a; }
template <Op op, typename T, typename... Rest> __device__ T combine(T a, Rest... rest) { return apply<op>(a, combine<op, T>(rest...)); }
template <Op op, typename T, typename... In> __global__ void elementwise(T *out, std::int64_t n, const In *...in) {
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += std::int64_t(gridDim.x) * blockDim.x)
    out[i] = combine<op, T>(in[i]...);
}
struct Geometry { int blocks, threads; };
static Geometry geometry(std::int64_t n, int threads = 128) { return {int((n + threads - 1) / threads), threads}; }
int main() {
  constexpr std::int64_t n = 8000;
  float *a, *b, *c, *out;
  for (float **p : {&a, &b, &c, &out}) cudaMalloc(p, n * sizeof(float));
  auto [blocks, threads] = geometry(n);
  elementwise<Op::Mul, float><<<blocks, threads>>>(out, n, a, b, c);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
//// a class owns device pointers, its methods launch, copies by a template 2
//= matvec <<<16, 64>>> rows = 1000 cols = 500 x[500]
//= relu <<<8, 128>>> y[1000]
#include <vector>
#include <memory>
#include <string>
#include <stdexcept>
#include <chrono>
template <typename T> class DeviceBuffer {
 public:
  explicit DeviceBuffer(size_t count = 0) : count_(count), ptr_(nullptr) {
    if (count_ && cudaMalloc(reinterpret_cast<void **>(&ptr_), count_ * sizeof(T)) != cudaSuccess) throw std::runtime_error("out of memory");
  }
  ~DeviceBuffer() { if (ptr_) cudaFree(ptr_); }
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;
  T *get() { return ptr_; }
  const T *get() const { return ptr_; }
  size_t size() const { return count_; }
  void upload(const std::vector<T> &from) { cudaMemcpy(ptr_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice); }
 private:
  size_t count_;
  T *ptr_;
};
__global__ void matvec(const float *w, const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0.0f;
  for (int c = 0; c < cols; ++c) sum += w[r * cols + c] * x[c];
  y[r] = sum;
}
__global__ void relu(float *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = fmaxf(y[i], 0.0f); }
class Layer {
  int rows_, cols_;
  DeviceBuffer<float> weights_, output_;
 public:
  Layer(int rows, int cols) : rows_(rows), cols_(cols), weights_(size_t(rows) * cols), output_(rows) {}
  float *forward(const float *x) {
    const int block = 64;
    matvec<<<(rows_ + block - 1) / block, block>>>(weights_.get(), x, output_.get(), rows_, cols_);
    activate();
    return output_.get();
  }
 private:
  void activate() { relu<<<(unsigned)((output_.size() + 127) / 128), 128>>>(output_.get(), (int)output_.size()); }
};
int main() {
  using clock = std::chrono::high_resolution_clock;
  DeviceBuffer<float> input(500);
  Layer first(1000, 500);
  auto t0 = clock::now();
  first.forward(input.get());
  cudaDeviceSynchronize();
  auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - t0).count();
  std::string text = "took " + std::to_string(ms);
  puts(text.c_str());
}
//// macros that wrap launches, platform branches, OpenMP around it 2
//= lap <<<dim3(32, 128), dim3(16, 4)>>> ni = 512 nj = 512
//= residual <<<256, 256>>> n = 262144
#ifdef __HIPCC__
#include <hip/hip_runtime.h>
#define gpuMalloc hipMalloc
#define gpuDeviceSynchronize hipDeviceSynchronize
#else
#include <cuda_runtime.h>
#define gpuMalloc cudaMalloc
#define gpuDeviceSynchronize cudaDeviceSynchronize
#endif
#ifdef _OPENMP
#include <omp.h>
#endif
#include <math.h>
#ifndef NI
#define NI 512
#endif
#define NJ NI
#define IDX(i, j, ld) ((j) + (i) * (ld))
#define CEILDIV(a, b) (((a) + (b) - 1) / (b))
#define GPU_CHECK(e) { cudaError_t err = e; if (err != cudaSuccess) { printf("%s in line %d\n", cudaGetErrorString(err), __LINE__); exit(1); } }
#define LAUNCH(kernel, grid, block, ...) do { kernel<<<grid, block>>>(__VA_ARGS__); GPU_CHECK(cudaGetLastError()); } while (0)
__global__ void lap(const double *__restrict__ u, double *__restrict__ v, int ni, int nj) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && j > 0 && i < ni - 1 && j < nj - 1)
    v[IDX(i, j, nj)] = 4.0 * u[IDX(i, j, nj)] - u[IDX(i - 1, j, nj)] - u[IDX(i + 1, j, nj)] - u[IDX(i, j - 1, nj)] - u[IDX(i, j + 1, nj)];
}
__global__ void residual(const double *v, double *sum, int n) {
  __shared__ double part[256];
  double s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += v[i] * v[i];
  part[threadIdx.x] = s;
  __syncthreads();
  for (int k = blockDim.x / 2; k; k >>= 1) { if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k]; __syncthreads(); }
  if (!threadIdx.x) sum[blockIdx.x] = part[0];
}
int main() {
  double *u, *v, *sum, *h = (double *)malloc(NI * NJ * sizeof(double));
#pragma omp parallel for collapse(2) schedule(static)
  for (int i = 0; i < NI; i++)
    for (int j = 0; j < NJ; j++) h[IDX(i, j, NJ)] = sin(i) * cos(j);
  GPU_CHECK(gpuMalloc(&u, NI * NJ * sizeof(double)));
  GPU_CHECK(gpuMalloc(&v, NI * NJ * sizeof(double)));
  GPU_CHECK(gpuMalloc(&sum, 256 * sizeof(double)));
  LAUNCH(lap, dim3(CEILDIV(NJ, 16), CEILDIV(NI, 4)), dim3(16, 4), u, v, NI, NJ);
  LAUNCH(residual, 256, 256, v, sum, NI * NJ);
  double total = 0;
#pragma omp parallel for reduction(+ : total)
  for (int b = 0; b < 256; b++) total += h[b];
  gpuDeviceSynchronize();
  return 0;
}
//// unions, bit fields and packed structs in kernels 1
//= unpack <<<16, 256>>> n = 4096 packets[4096]
#include <cstdint>
#include <cuda_runtime.h>
#pragma pack(push, 1)
typedef struct { uint8_t version : 4, header : 4; uint8_t service; uint16_t length; uint32_t source, target; } packet_t;
#pragma pack(pop)
union Word { uint32_t u; float f; uint8_t b[4]; struct { uint16_t lo, hi; } h; };
struct __align__(8) Entry { unsigned int key : 20; unsigned int kind : 4; unsigned int valid : 1; int weight; };
__device__ __host__ static inline uint32_t swap32(uint32_t x) { Word w; w.u = x; uint8_t t = w.b[0]; w.b[0] = w.b[3]; w.b[3] = t; t = w.b[1]; w.b[1] = w.b[2]; w.b[2] = t; return w.u; }
__global__ void unpack(const packet_t *__restrict__ packets, Entry *__restrict__ table, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  packet_t p = packets[i];
  Entry e;
  e.key = swap32(p.source) & 0xfffff;
  e.kind = p.version;
  e.valid = p.length > 20;
  e.weight = p.header * 4 + p.service;
  table[i] = e;
}
int main(int argc, const char *argv[]) {
  const size_t n = 4096;
  packet_t *packets; Entry *table;
  cudaMallocHost((void **)&packets, n * sizeof(packet_t));
  packet_t *d_packets;
  cudaMalloc((void **)&d_packets, n * sizeof(packet_t));
  cudaMalloc((void **)&table, n * sizeof(Entry));
  cudaMemcpyAsync(d_packets, packets, n * sizeof(packet_t), cudaMemcpyHostToDevice, 0);
  unpack<<<n / 256, 256>>>(d_packets, table, n);
  cudaFreeHost(packets);
}
//// all kinds of warp intrinsics 2
//= warp_tour <<<4, 128>>> n = 512
//= compact <<<4, 128>>> n = 512
#include <cuda_runtime.h>
#define FULL 0xffffffffu
__inline__ __device__ int lane_id() { int id; asm volatile("mov.u32 %0, %%laneid;" : "=r"(id)); return id; }
__inline__ __device__ float warpReduceMax(float v) {
#pragma unroll
  for (int mask = warpSize / 2; mask > 0; mask /= 2) v = fmaxf(v, __shfl_xor_sync(FULL, v, mask, 32));
  return v;
}
__inline__ __device__ unsigned lanemask_lt() { unsigned m; asm("mov.u32 %0, %%lanemask_lt;" : "=r"(m)); return m; }
__global__ void warp_tour(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[i];
  unsigned same = __match_any_sync(FULL, v & 7);
  int pred = 0;
  unsigned all = __match_all_sync(FULL, v, &pred);
  int r = __reduce_add_sync(FULL, v & 15);
  unsigned most = __reduce_max_sync(FULL, (unsigned)v), bits = __reduce_or_sync(FULL, 1u << (v & 31));
  int up = __shfl_up_sync(FULL, v, 1), down = __shfl_down_sync(FULL, v, 2), first = __shfl_sync(FULL, v, 0);
  int any = __any_sync(FULL, v > 1000), every = __all_sync(FULL, v >= 0), uni = __uni_sync(FULL, v);
  unsigned vote = __ballot_sync(FULL, v & 1);
  int leader = __ffs(same) - 1;
  float m = warpReduceMax((float)v);
  __syncwarp();
  out[i] = r + (int)most + (int)bits + up + down + first + any + every + uni + __popc(vote & lanemask_lt()) + leader + (int)m + pred + __clz(all + 1) + __brev(v) + __popcll(vote) + __ffsll(v);
}
__global__ void compact(const int *in, int *out, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool keep = i < n && in[i] % 3 == 0;
  unsigned active = __activemask();
  unsigned mask = __ballot_sync(active, keep);
  int base = 0, leader = __ffs(mask) - 1;
  if (lane_id() == leader) base = atomicAdd(count, __popc(mask));
  base = __shfl_sync(active, base, leader < 0 ? 0 : leader);
  if (keep) out[base + __popc(mask & lanemask_lt())] = in[i];
}
int main() {
  int n = 512, *in, *out, *count;
  cudaMalloc(&in, n * sizeof(int)); cudaMalloc(&out, n * sizeof(int)); cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  warp_tour<<<n / 128, 128>>>(in, out, n);
  compact<<<n / 128, 128>>>(in, out, count, n);
}
//// printf, assert, clock64 and a timed kernel with shared timestamps 1
//= timed_reduction <<<64, 256, 2048>>> timer[128]
#include <assert.h>
#include <cuda_runtime.h>
#include <stdio.h>
#define NUM_BLOCKS 64
#define NUM_THREADS 256
__global__ static void timed_reduction(const float *input, float *output, clock_t *timer) {
  extern __shared__ float shared[];
  const int tid = threadIdx.x, bid = blockIdx.x;
  if (tid == 0) timer[bid] = clock();
  shared[tid] = input[tid];
  shared[tid + blockDim.x] = input[tid + blockDim.x];
  for (int d = blockDim.x; d > 0; d /= 2) {
    __syncthreads();
    if (tid < d) { float f0 = shared[tid], f1 = shared[tid + d]; if (f1 < f0) shared[tid] = f1; }
  }
  assert(blockDim.x == NUM_THREADS && "the block has another size");
  if (tid == 0) output[bid] = shared[0];
  long long int ticks = clock64();
  __syncthreads();
  if (tid == 0) { timer[bid + gridDim.x] = clock(); if (bid == 0) printf("block %d took %lld from %s\n", bid, clock64() - ticks, "here"); }
}
int main(int argc, char **argv) {
  float *dinput = NULL, *doutput = NULL; clock_t *dtimer = NULL;
  clock_t timer[NUM_BLOCKS * 2]; float input[NUM_THREADS * 2];
  for (int i = 0; i < NUM_THREADS * 2; i++) { input[i] = (float)i; }
  cudaMalloc((void **)&dinput, sizeof(float) * NUM_THREADS * 2);
  cudaMalloc((void **)&doutput, sizeof(float) * NUM_BLOCKS);
  cudaMalloc((void **)&dtimer, sizeof(clock_t) * NUM_BLOCKS * 2);
  cudaMemcpy(dinput, input, sizeof(float) * NUM_THREADS * 2, cudaMemcpyHostToDevice);
  timed_reduction<<<NUM_BLOCKS, NUM_THREADS, sizeof(float) * 2 * NUM_THREADS>>>(dinput, doutput, dtimer);
  cudaMemcpy(timer, dtimer, sizeof(clock_t) * NUM_BLOCKS * 2, cudaMemcpyDeviceToHost);
  long double avg = 0;
  for (int i = 0; i < NUM_BLOCKS; i++) avg += (long double)(timer[i + NUM_BLOCKS] - timer[i]);
  printf("%Lf\n", avg / NUM_BLOCKS);
  return EXIT_SUCCESS;
}
//// streams with pinned memory, batches of offsets, a stream vector 1
//= saxpy_part <<<64, 256>>> count = 16384
#include <vector>
#include <cuda_runtime.h>
__global__ void __launch_bounds__(256, 4) saxpy_part(float *y, const float *x, float a, int offset, int count) {
  int i = offset + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < offset + count) y[i] = a * x[i] + y[i];
}
int main() {
  const int streams = 4, n = 65536, part = n / streams;
  float *hx, *hy, *dx, *dy;
  cudaHostAlloc((void **)&hx, n * sizeof(float), cudaHostAllocDefault);
  cudaHostAlloc((void **)&hy, n * sizeof(float), cudaHostAllocMapped | cudaHostAllocPortable);
  cudaMalloc(&dx, n * sizeof(float));
  cudaMalloc(&dy, n * sizeof(float));
  std::vector<cudaStream_t> s(streams);
  for (auto &stream : s) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (int i = 0; i < streams; ++i) {
    int offset = i * part;
    cudaMemcpyAsync(&dx[offset], &hx[offset], part * sizeof(float), cudaMemcpyHostToDevice, s[i]);
    saxpy_part<<<part / 256, 256, 0, s[i]>>>(dy, dx, 2.0f, offset, part);
    cudaMemcpyAsync(&hy[offset], &dy[offset], part * sizeof(float), cudaMemcpyDeviceToHost, s[i]);
  }
  for (auto stream : s) { cudaStreamSynchronize(stream); cudaStreamDestroy(stream); }
  cudaFreeHost(hx); cudaFreeHost(hy);
}
//// a graph captured from a stream, launched many times 2
//= axpby <<<40, 256>>> n = 10240
//= norm2 <<<10, 256>>> n = 10240
#include <cuda_runtime.h>
__global__ void axpby(float a, const float *x, float b, float *y, size_t n) { size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; if (i < n) y[i] = a * x[i] + b * y[i]; }
__global__ void norm2(const float *y, double *out, size_t n) {
  __shared__ double s[8];
  double v = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) v += (double)y[i] * y[i];
  for (int o = 16; o; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) { v = threadIdx.x < 8 ? s[threadIdx.x] : 0; for (int o = 4; o; o /= 2) v += __shfl_down_sync(0xffffffff, v, o); if (!threadIdx.x) atomicAdd(out, v); }
}
void iterate(float *x, float *y, double *out, size_t n, int times) {
  cudaStream_t stream; cudaGraph_t graph; cudaGraphExec_t exec;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  axpby<<<(n + 255) / 256, 256, 0, stream>>>(0.5f, x, 0.5f, y, n);
  cudaMemsetAsync(out, 0, sizeof(double), stream);
  norm2<<<(n + 1023) / 1024, 256, 0, stream>>>(y, out, n);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, NULL, NULL, 0);
  for (int i = 0; i < times; i++) cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
}
int main() { size_t n = 10 * 1024; float *x, *y; double *out; cudaMalloc(&x, n * 4); cudaMalloc(&y, n * 4); cudaMalloc(&out, 8); iterate(x, y, out, n, 100); }
//// memory per thread, recursion by a stack, switch in a loop 1
//= traverse <<<8, 128>>> count = 1024
#include <cuda_runtime.h>
#define STACK_DEPTH 24
struct Box { float lo[3], hi[3]; };
struct Node { Box box; int left, right, first, count; };
struct Ray { float3 o, d; float tmax; };
enum State { DESCEND, LEAF, POP, DONE };
__device__ bool meets(const Box &b, const Ray &r) {
  const float o[3] = {r.o.x, r.o.y, r.o.z}, d[3] = {r.d.x, r.d.y, r.d.z};
  float near = 0, far = r.tmax;
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    float inv = __frcp_rn(d[k]), a = (b.lo[k] - o[k]) * inv, c = (b.hi[k] - o[k]) * inv;
    near = fmaxf(near, fminf(a, c)); far = fminf(far, fmaxf(a, c));
  }
  return near <= far;
}
__global__ void traverse(const Node *nodes, const int *items, const Ray *rays, int *hits, int count) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count) return;
  int stack[STACK_DEPTH], top = 0, node = 0, found = 0, rounds = 0;
  Ray ray = rays[id];
  State state = DESCEND;
  while (state != DONE && rounds++ < 64) {
    switch (state) {
      case DESCEND: {
        const Node &n = nodes[node];
        if (!meets(n.box, ray)) { state = POP; break; }
        if (n.count > 0) { state = LEAF; break; }
        if (top < STACK_DEPTH) stack[top++] = n.right;
        node = n.left & 63;
        break;
      }
      case LEAF:
        for (int i = 0; i < min(nodes[node].count, 4); i++) found += items[(nodes[node].first + i) & 255];
      case POP:
        if (top == 0) state = DONE;
        else { node = stack[--top] & 63; state = DESCEND; }
        break;
      default: state = DONE;
    }
  }
  hits[id] = found;
}
int main() {
  int count = 1024; Node *nodes; int *items, *hits; Ray *rays;
  cudaMalloc(&nodes, 64 * sizeof(Node)); cudaMalloc(&items, 256 * sizeof(int)); cudaMalloc(&hits, count * sizeof(int)); cudaMalloc(&rays, count * sizeof(Ray));
  traverse<<<count / 128, 128>>>(nodes, items, rays, hits, count);
}
//// inline assembly of several kinds 1
//= asm_tour <<<2, 64>>> out[128]
#include <cstdint>
__device__ __forceinline__ uint32_t bfe(uint32_t x, uint32_t bit, uint32_t bits) { uint32_t ret; asm("bfe.u32 %0, %1, %2, %3;" : "=r"(ret) : "r"(x), "r"(bit), "r"(bits)); return ret; }
__device__ __forceinline__ uint32_t lop(uint32_t a, uint32_t b, uint32_t c) { uint32_t d; asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); return d; }
__device__ __forceinline__ uint64_t wide(uint32_t a, uint32_t b) { uint64_t d; asm("mul.wide.u32 %0, %1, %2;" : "=l"(d) : "r"(a), "r"(b)); return d; }
__device__ __forceinline__ float4 ldg_stream(const float4 *p) { float4 v; asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p)); return v; }
__device__ __forceinline__ void stg_stream(float4 *p, float4 v) { asm volatile("st.global.cs.v4.f32 [%0], {%1,%2,%3,%4};" ::"l"(p), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory"); }
__device__ uint32_t add_carry(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t *hi) {
  uint32_t lo;
  asm("{\n\t add.cc.u32 %0, %2, %4;\n\t addc.u32 %1, %3, %5;\n\t}" : "=r"(lo), "=r"(*hi) : "r"(a), "r"(b), "r"(c), "r"(d));
  return lo;
}
__device__ unsigned smem_address(const void *p) { unsigned a; asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(a) : "l"(p)); return a; }
__global__ void asm_tour(const float4 *in, float4 *out) {
  __shared__ uint32_t words[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  words[threadIdx.x] = bfe(i * 2654435761u, 5, 7) ^ lop(i, i >> 1, i >> 2);
  __syncthreads();
  uint32_t w, hi;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(w) : "r"(smem_address(&words[63 - threadIdx.x])));
  float4 v = ldg_stream(in + i);
  uint32_t lo = add_carry(w, i, 1, 2, &hi);
  float f;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(v.x), "f"(v.y), "f"(v.z));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in + i));
  v.w = f + (float)(lo + hi) + (float)(wide(w, 3) >> 32);
  stg_stream(out + i, v);
}
int main() { float4 *in, *out; cudaMalloc(&in, 128 * sizeof(float4)); cudaMalloc(&out, 128 * sizeof(float4)); asm_tour<<<2, 64>>>(in, out); }
//// std::array as argument, range-based loops in kernels, constexpr tables 1
//= smooth <<<20, 50>>> n = 1000
#include <array>
#include <algorithm>
#include <numeric>
constexpr int RADIUS = 3;
constexpr int taps(int r) { return 2 * r + 1; }
constexpr float weight(int k) { return k == 0 ? 0.4f : 0.1f / (k < 0 ? -k : k); }
struct Taps { float w[taps(RADIUS)]; __host__ __device__ constexpr float operator[](int i) const { return w[i]; } };
template <typename T, size_t N> struct Stack { T data[N]; __device__ T *begin() { return data; } __device__ T *end() { return data + N; } __device__ constexpr size_t size() const { return N; } };
__global__ void smooth(const float *in, float *out, Taps t, int n) {
  Stack<float, taps(RADIUS)> window;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int k = -RADIUS;
  for (auto &v : window) { int j = min(max(i + k, 0), n - 1); v = in[j]; ++k; }
  float sum = 0;
  int tap = 0;
  for (const auto v : window) sum += v * t[tap++];
  for (const int extra : {0, 2, 4}) sum += window.data[extra] * weight(extra);
  if (i < n) out[i] = sum / window.size();
}
int main() {
  std::array<float, taps(RADIUS)> w{};
  std::iota(w.begin(), w.end(), 1.0f);
  Taps t;
  std::copy(w.begin(), w.end(), t.w);
  const auto n = 1000; float *in, *out;
  cudaMalloc(&in, n * sizeof(float)); cudaMalloc(&out, n * sizeof(float));
  const auto block = 50u;
  smooth<<<(n + block - 1) / block, block>>>(in, out, t, n);
}
//// old texture references bound by the host, a lookup table 2
//= spmv_tex <<<16, 64>>> rows = 1000
//= lookup <<<dim3(8, 8), dim3(16, 16)>>> w = 128
#include <cuda.h>
texture<float, 1, cudaReadModeElementType> texVec;
texture<uchar4, 2, cudaReadModeNormalizedFloat> texImage;
texture<float, cudaTextureType1D> texTable;
__global__ void spmv_tex(const float *val, const int *col, const int *ptr, float *out, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) { float s = 0; for (int j = ptr[r]; j < ptr[r + 1]; j++) s += val[j] * tex1Dfetch(texVec, col[j]); out[r] = s; }
}
__global__ void lookup(float4 *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) { float4 c = tex2D(texImage, x + 0.5f, y + 0.5f); c.w = tex1D(texTable, c.x); out[y * w + x] = c; }
}
int main() {
  int rows = 1000, nnz = 5000, w = 128, h = 128;
  float *val, *vec, *out; int *col, *ptr; float4 *image; cudaArray *table, *picture;
  cudaMalloc((void **)&val, nnz * sizeof(float)); cudaMalloc((void **)&col, nnz * sizeof(int)); cudaMalloc((void **)&ptr, (rows + 1) * sizeof(int));
  cudaMalloc((void **)&vec, rows * sizeof(float)); cudaMalloc((void **)&out, rows * sizeof(float)); cudaMalloc((void **)&image, w * h * sizeof(float4));
  cudaBindTexture(0, texVec, vec, rows * sizeof(float));
  cudaChannelFormatDesc d1 = cudaCreateChannelDesc<float>(), d2 = cudaCreateChannelDesc<uchar4>();
  cudaMallocArray(&table, &d1, 256, 1); cudaMallocArray(&picture, &d2, w, h);
  texTable.filterMode = cudaFilterModeLinear; texTable.normalized = true; texTable.addressMode[0] = cudaAddressModeClamp;
  cudaBindTextureToArray(texTable, table, d1); cudaBindTextureToArray(texImage, picture);
  spmv_tex<<<(rows + 63) / 64, 64>>>(val, col, ptr, out, rows);
  dim3 b(16, 16), g(w / b.x, h / b.y);
  lookup<<<g, b>>>(image, w, h);
  cudaUnbindTexture(texVec);
}
