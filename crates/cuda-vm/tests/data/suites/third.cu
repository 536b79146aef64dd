//// without its headers: a benchmark class of a suite, options and a result database 2
//= triad <<<512, 128>>>
//= copyKernel <<<512, 128>>>
#include "cudacommon.h"
#include "OptionParser.h"
#include "ResultDatabase.h"
#include "Timer.h"
#include <cassert>
#include <vector>
void addBenchmarkSpecOptions(OptionParser &op) { op.addOption("pinned", OPT_BOOL, "1", "use pinned memory"); }
__global__ void triad(float *A, float *B, float *C, float s) { int gid = threadIdx.x + (blockIdx.x * blockDim.x); C[gid] = A[gid] + s * B[gid]; }
template <class T> __global__ void copyKernel(T *dst, const T *src) { unsigned gid = threadIdx.x + blockIdx.x * blockDim.x; dst[gid] = src[gid]; }
void RunBenchmark(ResultDatabase &resultDB, OptionParser &op) {
  const bool verbose = op.getOptionBool("verbose");
  const int n_passes = op.getOptionInt("passes");
  const size_t blockSizes[] = {64, 128, 256};
  const size_t memSize = 16384;
  const size_t numMaxFloats = 1024 * memSize / 4, blockSize = 128;
  float *h_mem; cudaMallocHost((void **)&h_mem, sizeof(float) * numMaxFloats); CHECK_CUDA_ERROR();
  float *d_a, *d_b, *d_c;
  cudaMalloc((void **)&d_a, blockSizes[1] * 1024 * sizeof(float)); CHECK_CUDA_ERROR();
  cudaMalloc((void **)&d_b, blockSizes[1] * 1024 * sizeof(float)); CHECK_CUDA_ERROR();
  cudaMalloc((void **)&d_c, blockSizes[1] * 1024 * sizeof(float)); CHECK_CUDA_ERROR();
  float scalar = 1.75f;
  cudaStream_t streams[2]; cudaStreamCreate(&streams[0]); cudaStreamCreate(&streams[1]);
  for (int pass = 0; pass < n_passes; ++pass) {
    int elems = blockSizes[1] * 512;
    dim3 globalWork(elems / blockSize, 1, 1), localWork(blockSize, 1, 1);
    int TH = Timer::Start();
    triad<<<globalWork, localWork, 0, streams[pass % 2]>>>(d_a, d_b, d_c, scalar);
    copyKernel<float><<<globalWork, localWork, 0, streams[0]>>>(d_a, d_c);
    cudaThreadSynchronize();
    double time = Timer::Stop(TH, "triad");
    char sizeStr[256]; sprintf(sizeStr, "Block:%05luKB", (unsigned long)blockSize);
    resultDB.AddResult("TriadFlops", sizeStr, "GFLOP/s", elems * 2.0 / time / 1e9);
  }
}
//// without its headers: a PolyBench program, two-dimensional arrays by macros 2
//= covar_mean <<<2, 256>>> mean[512]
//= covar_reduce <<<dim3(16, 64), dim3(32, 8)>>> data[262144]
#include <stdio.h>
#include <unistd.h>
#include <cuda.h>
#define POLYBENCH_TIME 1
#include "covariance.cuh"
#include <polybench.h>
#include <polybenchUtilFuncts.h>
#define GPU_DEVICE 0
#define RUN_ON_CPU
#define M 512
#define N 512
#define DATA_TYPE float
#define DIM_THREAD_BLOCK_KERNEL_1_X 256
#define DIM_THREAD_BLOCK_KERNEL_1_Y 1
#define DIM_THREAD_BLOCK_KERNEL_2_X 32
#define DIM_THREAD_BLOCK_KERNEL_2_Y 8
void init_arrays(int m, int n, DATA_TYPE POLYBENCH_2D(data, M, N, m, n)) { int i, j; for (i = 0; i < m; i++) for (j = 0; j < n; j++) data[i][j] = ((DATA_TYPE)i * j) / M; }
__global__ void covar_mean(int m, int n, DATA_TYPE *mean, DATA_TYPE *data) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < _PB_M) { mean[j] = 0.0; int i; for (i = 0; i < _PB_N; i++) mean[j] += data[i * M + j]; mean[j] /= (DATA_TYPE)3214212.01; }
}
__global__ void covar_reduce(int m, int n, DATA_TYPE *mean, DATA_TYPE *data) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i < _PB_N) && (j < _PB_M)) data[i * M + j] -= mean[j];
}
void covarianceCuda(int m, int n, DATA_TYPE POLYBENCH_2D(data, M, N, m, n), DATA_TYPE POLYBENCH_1D(mean, M, m)) {
  DATA_TYPE *data_gpu, *mean_gpu;
  cudaMalloc((void **)&data_gpu, sizeof(DATA_TYPE) * M * N);
  cudaMalloc((void **)&mean_gpu, sizeof(DATA_TYPE) * M);
  cudaMemcpy(data_gpu, data, sizeof(DATA_TYPE) * M * N, cudaMemcpyHostToDevice);
  polybench_start_instruments;
  dim3 block1(DIM_THREAD_BLOCK_KERNEL_1_X, DIM_THREAD_BLOCK_KERNEL_1_Y);
  dim3 grid1((size_t)(ceil((float)M) / ((float)DIM_THREAD_BLOCK_KERNEL_1_X)), 1);
  dim3 block2(DIM_THREAD_BLOCK_KERNEL_2_X, DIM_THREAD_BLOCK_KERNEL_2_Y);
  dim3 grid2((size_t)(ceil((float)M) / ((float)DIM_THREAD_BLOCK_KERNEL_2_X)), (size_t)(ceil((float)N) / ((float)DIM_THREAD_BLOCK_KERNEL_2_Y)));
  covar_mean<<<grid1, block1>>>(m, n, mean_gpu, data_gpu);
  cudaThreadSynchronize();
  covar_reduce<<<grid2, block2>>>(m, n, mean_gpu, data_gpu);
  cudaThreadSynchronize();
  polybench_stop_instruments;
  polybench_print_instruments;
}
int main() {
  int m = M, n = N;
  POLYBENCH_2D_ARRAY_DECL(data, DATA_TYPE, M, N, m, n);
  POLYBENCH_1D_ARRAY_DECL(mean, DATA_TYPE, M, m);
  init_arrays(m, n, POLYBENCH_ARRAY(data));
  covarianceCuda(m, n, POLYBENCH_ARRAY(data), POLYBENCH_ARRAY(mean));
  POLYBENCH_FREE_ARRAY(data);
  return 0;
}
//// without its headers: a Parboil program with parameters and a reader of files 1
//= block_histo <<<84, 512>>> num_elements = 65536
#include <stdio.h>
#include <stdlib.h>
#include <parboil.h>
#include "util.h"
#define UINT8_MAX 255
__global__ void block_histo(unsigned int *input, unsigned int *histo, unsigned int num_elements, unsigned int histo_width) {
  unsigned int stride = gridDim.x * blockDim.x;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < num_elements; i += stride) {
    unsigned int v = input[i];
    if (v < histo_width) atomicAdd(&histo[v], 1);
  }
}
int main(int argc, char *argv[]) {
  struct pb_TimerSet timers;
  struct pb_Parameters *parameters;
  parameters = pb_ReadParameters(&argc, argv);
  if (!parameters) return -1;
  if (!parameters->inpFiles[0]) { fputs("Input file expected\n", stderr); return -1; }
  char *prescans = "PreScanKernel";
  pb_InitializeTimerSet(&timers);
  pb_SwitchToTimer(&timers, pb_TimerID_IO);
  int numIterations;
  if (argc >= 2) numIterations = atoi(argv[1]);
  else { fputs("Expected at least one command line argument\n", stderr); return -1; }
  unsigned int img_width, img_height, histo_width, histo_height;
  FILE *f = fopen(parameters->inpFiles[0], "rb");
  int result = 0;
  result += fread(&img_width, sizeof(unsigned int), 1, f);
  result += fread(&img_height, sizeof(unsigned int), 1, f);
  result += fread(&histo_width, sizeof(unsigned int), 1, f);
  result += fread(&histo_height, sizeof(unsigned int), 1, f);
  if (result != 4) { fputs("Error reading input and output dimensions from file\n", stderr); return -1; }
  unsigned int *img = (unsigned int *)malloc(img_width * img_height * sizeof(unsigned int));
  unsigned int *input, *histo;
  cudaMalloc((void **)&input, img_width * img_height * sizeof(unsigned int));
  cudaMalloc((void **)&histo, histo_width * histo_height * sizeof(unsigned int));
  for (int iter = 0; iter < numIterations; iter++) {
    cudaMemset(histo, 0, histo_width * histo_height * sizeof(unsigned int));
    block_histo<<<14 * 6, 512>>>(input, histo, img_height * img_width, histo_width * histo_height);
  }
  pb_SwitchToTimer(&timers, pb_TimerID_NONE);
  pb_FreeParameters(parameters);
}
//// a kernel in a header of the program that is not there, own kernels beside it 1
//= bucketcount <<<16, 128>>> size = 65536
#include <helper_cuda.h>
#include "bucketsort_kernel.cu"
#include "bucketsort.cuh"
#define BUCKET_THREAD_N 128
#define DIVISIONS 1024
texture<float, 1, cudaReadModeElementType> texPivot;
__global__ void bucketcount(float *input, int *indice, unsigned int *d_prefixoffsets, int size) {
  volatile __shared__ unsigned int s_offset[DIVISIONS];
  for (int i = threadIdx.x; i < DIVISIONS; i += BUCKET_THREAD_N) s_offset[i] = 0;
  __syncthreads();
  for (int tid = blockDim.x * blockIdx.x + threadIdx.x; tid < size; tid += blockDim.x * gridDim.x) {
    float elem = input[tid];
    int idx = DIVISIONS / 2 - 1, jump = DIVISIONS / 4;
    float piv = tex1Dfetch(texPivot, idx);
    while (jump >= 1) { idx = (elem < piv) ? (idx - jump) : (idx + jump); piv = tex1Dfetch(texPivot, idx); jump /= 2; }
    idx = (elem < piv) ? idx : (idx + 1);
    indice[tid] = (atomicInc((unsigned int *)s_offset + idx, 1000000) << 16) + idx;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < DIVISIONS; i += BUCKET_THREAD_N) d_prefixoffsets[blockIdx.x * DIVISIONS + i] = s_offset[i];
}
unsigned int *d_prefixoffsets; int *d_indice; float *d_pivots;
void init_bucketsort(int listsize) {
  int blocks = ((listsize - 1) / (BUCKET_THREAD_N * 32)) + 1;
  checkCudaErrors(cudaMalloc((void **)&d_prefixoffsets, blocks * DIVISIONS * sizeof(int)));
  checkCudaErrors(cudaMalloc((void **)&d_indice, listsize * sizeof(int)));
  checkCudaErrors(cudaMalloc((void **)&d_pivots, DIVISIONS * sizeof(float)));
}
void bucketSort(float *d_input, float *d_output, int listsize, int *sizes, int *nullElements, float minimum, float maximum, unsigned int *origOffsets) {
  checkCudaErrors(cudaBindTexture(0, texPivot, d_pivots, DIVISIONS * sizeof(int)));
  dim3 threads(BUCKET_THREAD_N, 1);
  int blocks = ((listsize - 1) / (threads.x * 32)) + 1;
  dim3 grid(blocks, 1);
  bucketcount<<<grid, threads>>>(d_input, d_indice, d_prefixoffsets, listsize);
}
int main(int argc, char **argv) {
  int numElements = 65536; float *d_input, *d_output; int sizes[DIVISIONS]; unsigned int offs[DIVISIONS + 1]; int nulls = 0;
  cudaMalloc((void **)&d_input, numElements * sizeof(float)); cudaMalloc((void **)&d_output, numElements * sizeof(float) * 2);
  init_bucketsort(numElements);
  bucketSort(d_input, d_output, numElements, sizes, &nulls, 0.0f, 1.0f, offs);
}
//// HeCBench-like: arguments with defaults, a templated driver over precisions, warm-up 1
//= softmax_rows <<<1024, 256>>> cols = 512
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
template <typename T, int BLOCK> __global__ void softmax_rows(T *__restrict__ out, const T *__restrict__ in, const int cols) {
  __shared__ float buffer[BLOCK / 32];
  const int row = blockIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  auto reduce = [&](float v, auto op) {
    for (int o = 16; o > 0; o >>= 1) v = op(v, __shfl_down_sync(0xffffffff, v, o));
    if (lane == 0) buffer[warp] = v;
    __syncthreads();
    v = buffer[0];
    for (int w = 1; w < BLOCK / 32; ++w) v = op(v, buffer[w]);
    __syncthreads();
    return v;
  };
  float top = -1e30f;
  for (int c = threadIdx.x; c < cols; c += BLOCK) top = fmaxf(top, (float)in[row * cols + c]);
  top = reduce(top, [](float a, float b) { return fmaxf(a, b); });
  float sum = 0.f;
  for (int c = threadIdx.x; c < cols; c += BLOCK) sum += __expf((float)in[row * cols + c] - top);
  sum = reduce(sum, [](float a, float b) { return a + b; });
  for (int c = threadIdx.x; c < cols; c += BLOCK) out[row * cols + c] = (T)(__expf((float)in[row * cols + c] - top) / sum);
}
template <typename T> void driver(const int rows, const int cols, const int repeat) {
  T *in, *out;
  const size_t bytes = sizeof(T) * rows * cols;
  cudaMalloc((void **)&in, bytes);
  cudaMalloc((void **)&out, bytes);
  auto launch = [&]() { softmax_rows<T, 256><<<rows, 256>>>(out, in, cols); };
  launch();
  cudaDeviceSynchronize();
  auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < repeat; i++) launch();
  cudaDeviceSynchronize();
  auto end = std::chrono::steady_clock::now();
  auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count();
  printf("Average execution time: %f (us)\n", (time * 1e-3f) / repeat);
  cudaFree(in); cudaFree(out);
}
int main(int argc, char *argv[]) {
  int rows = 1024, cols = 512, repeat = 10;
  if (argc > 1) rows = atoi(argv[1]);
  if (argc > 2) cols = atoi(argv[2]);
  if (argc > 3) repeat = atoi(argv[3]);
  driver<float>(rows, cols, repeat);
  driver<__half>(rows, cols, repeat);
  return 0;
}
//// a main program whose sizes come from three arguments after a check of argc 1
//= heat <<<dim3(16, 16), dim3(16, 16)>>> n = 256
#include <iostream>
#include <cstdlib>
#include <cuda.h>
#define BLOCK_SIZE 16
typedef float real_t;
inline void check(cudaError_t e, const char *file, int line) { if (e != cudaSuccess) { std::cerr << cudaGetErrorString(e) << " " << file << ":" << line << std::endl; std::exit(-1); } }
#define CHECK(e) check(e, __FILE__, __LINE__)
__global__ void heat(const real_t *__restrict__ a, real_t *__restrict__ b, const int n, const real_t r) {
  const int gx = BLOCK_SIZE * blockIdx.x + threadIdx.x, gy = BLOCK_SIZE * blockIdx.y + threadIdx.y;
  __shared__ real_t tile[BLOCK_SIZE + 2][BLOCK_SIZE + 2];
  const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  tile[ly][lx] = a[gy * n + gx];
  if (threadIdx.x == 0) { tile[ly][0] = gx > 0 ? a[gy * n + gx - 1] : 0; tile[ly][BLOCK_SIZE + 1] = gx + BLOCK_SIZE < n ? a[gy * n + gx + BLOCK_SIZE] : 0; }
  if (threadIdx.y == 0) { tile[0][lx] = gy > 0 ? a[(gy - 1) * n + gx] : 0; tile[BLOCK_SIZE + 1][lx] = gy + BLOCK_SIZE < n ? a[(gy + BLOCK_SIZE) * n + gx] : 0; }
  __syncthreads();
  b[gy * n + gx] = tile[ly][lx] + r * (tile[ly][lx - 1] + tile[ly][lx + 1] + tile[ly - 1][lx] + tile[ly + 1][lx] - 4 * tile[ly][lx]);
}
int main(int argc, char *argv[]) {
  if (argc != 4) {
    std::cout << "Usage: " << argv[0] << " <n> <steps> <rate>" << std::endl;
    return 1;
  }
  const int n = std::atoi(argv[1]);
  const int steps = std::stoi(argv[2]);
  const real_t rate = std::atof(argv[3]);
  if (n % BLOCK_SIZE != 0) { std::cout << "n must be divisible by " << BLOCK_SIZE << "\n"; return 1; }
  real_t *d[2];
  for (int i = 0; i < 2; i++) CHECK(cudaMalloc((void **)&d[i], sizeof(real_t) * n * n));
  const dim3 threads{BLOCK_SIZE, BLOCK_SIZE};
  const dim3 blocks(n / threads.x, n / threads.y);
  for (int s = 0; s < steps; ++s) heat<<<blocks, threads>>>(d[s & 1], d[(s + 1) & 1], n, rate);
  CHECK(cudaDeviceSynchronize());
}
//// a config struct with inline defaults and methods, a namespace of kernels 2
//= spread <<<dim3(8, 4), dim3(32, 8)>>>
//= interpolate <<<dim3(8, 4), dim3(32, 8)>>>
#include <cuda_runtime.h>
namespace physics {
struct Config {
  int nx = 256;
  int ny = 32;
  float dx = 0.1f, dt = 1e-3f;
  __host__ __device__ int cells() const { return nx * ny; }
  __host__ __device__ int at(int x, int y) const { return y * nx + x; }
  dim3 block() const { return dim3(32, 8); }
  dim3 grid() const { return dim3((nx + 31) / 32, (ny + 7) / 8); }
};
namespace detail {
__device__ __forceinline__ float flux(float a, float b, float dx) { return (b - a) / dx; }
}
__global__ void spread(Config c, const float *u, float *v) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.nx - 1 || y >= c.ny - 1) return;
  v[c.at(x, y)] = u[c.at(x, y)] + c.dt * (detail::flux(u[c.at(x, y)], u[c.at(x + 1, y)], c.dx) + detail::flux(u[c.at(x, y)], u[c.at(x, y + 1)], c.dx));
}
__global__ void interpolate(Config c, const float *v, float2 *w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < c.nx && y < c.ny) w[c.at(x, y)] = make_float2(v[c.at(x, y)], 0.5f * v[c.at(max(x - 1, 0), y)]);
}
}  // namespace physics
using namespace physics;
int main() {
  Config c;
  float *u, *v; float2 *w;
  cudaMalloc(&u, c.cells() * sizeof(float)); cudaMalloc(&v, c.cells() * sizeof(float)); cudaMalloc(&w, c.cells() * sizeof(float2));
  spread<<<c.grid(), c.block()>>>(c, u, v);
  physics::interpolate<<<c.grid(), c.block()>>>(c, v, w);
}
//// the size of a problem by a switch over a letter, arrays of arrays on the device 1
//= rows_sum <<<16, 128>>> n = 64
#include <stdio.h>
#include <stdlib.h>
#define CLASS 'W'
__global__ void rows_sum(float **rows, float *out, int n, int width) {
  int r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (r >= n) return;
  float s = 0.f;
  for (int c = threadIdx.x % 32; c < width; c += 32) s += rows[r][c];
  for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
  if (threadIdx.x % 32 == 0) out[r] = s;
}
int main() {
  int n, width;
  switch (CLASS) { case 'S': n = 32; width = 32; break; case 'W': n = 64; width = 100; break; case 'A': n = 256; width = 512; break; default: printf("no such class\n"); exit(1); }
  float **h_rows = (float **)malloc(n * sizeof(float *)), **d_rows, *out;
  for (int i = 0; i < n; i++) cudaMalloc((void **)&h_rows[i], width * sizeof(float));
  cudaMalloc((void **)&d_rows, n * sizeof(float *));
  cudaMalloc((void **)&out, n * sizeof(float));
  cudaMemcpy(d_rows, h_rows, n * sizeof(float *), cudaMemcpyHostToDevice);
  int warps = 4;
  rows_sum<<<n / warps, warps * 32>>>(d_rows, out, n, width);
  for (int i = 0; i < n; i++) cudaFree(h_rows[i]);
}
//// a linked structure of arrays copied deeply, a while loop with a flag 2
//= expand <<<8, 128>>> nodes = 1024
//= update <<<8, 128>>> nodes = 1024
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
typedef struct graph_s { int num_nodes, num_edges; int *offsets, *edges; float *weights; } graph_t;
__global__ void expand(graph_t g, const int *frontier, int *next, int *cost, int nodes) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes || !frontier[v]) return;
  for (int e = g.offsets[v]; e < g.offsets[v + 1]; e++) { int u = g.edges[e]; if (cost[u] < 0) { cost[u] = cost[v] + 1; next[u] = 1; } }
}
__global__ void update(int *frontier, int *next, bool *again, int nodes) { int v = blockIdx.x * blockDim.x + threadIdx.x; if (v < nodes) { frontier[v] = next[v]; if (next[v]) *again = true; next[v] = 0; } }
static graph_t read_graph(const std::string &path) {
  graph_t g; memset(&g, 0, sizeof(g));
  std::ifstream in(path);
  if (!in.is_open()) { g.num_nodes = 1024; g.num_edges = 8192; }
  else in >> g.num_nodes >> g.num_edges;
  g.num_nodes = 1024; g.num_edges = g.num_nodes * 8;
  g.offsets = (int *)calloc(g.num_nodes + 1, sizeof(int)); g.edges = new int[g.num_edges]; g.weights = new float[g.num_edges];
  return g;
}
static graph_t to_device(const graph_t &h) {
  graph_t d = h;
  cudaMalloc(&d.offsets, (h.num_nodes + 1) * sizeof(int)); cudaMalloc(&d.edges, h.num_edges * sizeof(int)); cudaMalloc(&d.weights, h.num_edges * sizeof(float));
  cudaMemcpy(d.offsets, h.offsets, (h.num_nodes + 1) * sizeof(int), cudaMemcpyHostToDevice);
  return d;
}
int main(int argc, char **argv) {
  graph_t h = read_graph(argc > 1 ? argv[1] : "graph.txt"), d = to_device(h);
  int *frontier, *next, *cost; bool *again, more;
  cudaMalloc(&frontier, h.num_nodes * sizeof(int)); cudaMalloc(&next, h.num_nodes * sizeof(int)); cudaMalloc(&cost, h.num_nodes * sizeof(int)); cudaMalloc(&again, sizeof(bool));
  const int blocks = (h.num_nodes + 127) / 128;
  do {
    more = false;
    cudaMemcpy(again, &more, sizeof(bool), cudaMemcpyHostToDevice);
    expand<<<blocks, 128>>>(d, frontier, next, cost, h.num_nodes);
    update<<<blocks, 128>>>(frontier, next, again, h.num_nodes);
    cudaMemcpy(&more, again, sizeof(bool), cudaMemcpyDeviceToHost);
  } while (more);
}
//// half precision arithmetic and vector loads in a templated kernel 2
//= hgemv <<<256, 64>>> m = 256
//= to_half <<<64, 256>>> n = 16384
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void to_half(const float2 *in, __half2 *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = __float22half2_rn(in[i]); }
__global__ void hgemv(const half *__restrict__ a, const half *__restrict__ x, half *__restrict__ y, int m, int n) {
  const int row = blockIdx.x;
  half2 acc = __float2half2_rn(0.f);
  const half2 *a2 = reinterpret_cast<const half2 *>(a + row * n), *x2 = reinterpret_cast<const half2 *>(x);
  for (int c = threadIdx.x; c < n / 2; c += blockDim.x) acc = __hfma2(__ldg(&a2[c]), x2[c], acc);
  float s = __low2float(acc) + __high2float(acc);
  for (int o = 16; o > 0; o /= 2) s += __shfl_down_sync(0xffffffff, s, o);
  __shared__ float w[2];
  if (threadIdx.x % 32 == 0) w[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) y[row] = __hadd(__float2half(w[0]), __float2half_rn(w[1]));
}
int main() {
  const int m = 256, n = 128;
  half *a, *x, *y; float2 *f;
  cudaMalloc(&a, m * n * sizeof(half)); cudaMalloc(&x, n * sizeof(half)); cudaMalloc(&y, m * sizeof(half)); cudaMalloc(&f, m * n / 2 * sizeof(float2));
  to_half<<<(m * n / 2 + 255) / 256, 256>>>(f, reinterpret_cast<__half2 *>(a), m * n / 2);
  hgemv<<<m, 64>>>(a, x, y, m, n);
}
//// random numbers of the device library, a state per thread, Monte Carlo 2
//= setup_states <<<16, 256>>>
//= estimate_pi <<<16, 256>>> samples = 50
#include <curand.h>
#include <curand_kernel.h>
#include <iostream>
#include <iomanip>
using namespace std;
__global__ void setup_states(curandState *states, unsigned long long seed) { int id = threadIdx.x + blockIdx.x * blockDim.x; curand_init(seed, id, 0, &states[id]); }
__global__ void estimate_pi(curandState *states, unsigned int *inside, int samples) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  curandState local = states[id];
  unsigned int count = 0;
  for (int s = 0; s < samples; ++s) { float x = curand_uniform(&local), y = curand_uniform(&local); if (x * x + y * y <= 1.0f) ++count; }
  float2 g = curand_normal2(&local);
  if (g.x > 100.f) count = 0;
  states[id] = local;
  atomicAdd(inside, count);
}
int main() {
  const int blocks = 16, threads = 256, samples = 50;
  curandState *states; unsigned int *inside, h = 0;
  cudaMalloc((void **)&states, blocks * threads * sizeof(curandState));
  cudaMalloc((void **)&inside, sizeof(unsigned int));
  setup_states<<<blocks, threads>>>(states, time(NULL));
  estimate_pi<<<blocks, threads>>>(states, inside, samples);
  cudaMemcpy(&h, inside, sizeof(h), cudaMemcpyDeviceToHost);
  cout << setprecision(8) << 4.0 * h / (double)(blocks * threads * samples) << endl;
}
//// kernels that C++ members select: static method as kernel wrapper, enum switch, lambda with if 3
//= op_add <<<10, 100>>>
//= op_sub <<<10, 100>>>
//= op_fma <<<5, 200>>>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
__global__ void op_add(const float *a, const float *b, float *c, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) c[i] = a[i] + b[i]; }
__global__ void op_sub(const float *a, const float *b, float *c, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) c[i] = a[i] - b[i]; }
__global__ void op_fma(const float *a, const float *b, float *c, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) c[i] = fmaf(a[i], b[i], c[i]); }
enum class Kind { Add, Sub, Fma };
struct Runner {
  const float *a, *b; float *c; int n;
  static int blocks(int n, int t) { return (n + t - 1) / t; }
  void operator()(Kind kind) const {
    switch (kind) {
      case Kind::Add: op_add<<<blocks(n, 100), 100>>>(a, b, c, n); break;
      case Kind::Sub: op_sub<<<blocks(n, 100), 100>>>(a, b, c, n); break;
      case Kind::Fma: op_fma<<<blocks(n, 200), 200>>>(a, b, c, n); break;
    }
  }
};
int main() {
  const int n = 1000; float *a, *b, *c;
  cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float)); cudaMalloc(&c, n * sizeof(float));
  Runner run{a, b, c, n};
  std::map<std::string, Kind> names = {{"add", Kind::Add}, {"sub", Kind::Sub}, {"fma", Kind::Fma}};
  for (auto kind : {Kind::Add, Kind::Sub, Kind::Fma}) run(kind);
  for (const auto &[name, kind] : names) printf("%s\n", name.c_str());
}
