//// launches by address from a table of kernels with arrays of arguments 2
//= first_pass <<<32, 256, 1024>>> n = 8192
//= second_pass <<<1, 32, 128>>> n = 32
#include <cuda_runtime.h>
__global__ void first_pass(const int *in, int *out, int n) {
  extern __shared__ int s[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) { if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k]; __syncthreads(); }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
__global__ void second_pass(const int *in, int *out, int n) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x < n ? in[threadIdx.x] : 0;
  __syncwarp();
  if (threadIdx.x == 0) { int t = 0; for (int i = 0; i < n; i++) t += s[i]; *out = t; }
}
struct Stage { const void *function; int threads, items; };
int main() {
  int n = 8192, *buffer[3];
  for (int i = 0; i < 3; i++) cudaMalloc((void **)&buffer[i], n * sizeof(int));
  Stage stages[2] = {{(const void *)first_pass, 256, 8192}, {(const void *)second_pass, 32, 32}};
  for (int s = 0; s < 2; s++) {
    int items = stages[s].items;
    void *args[] = {&buffer[s], &buffer[s + 1], &items};
    dim3 block(stages[s].threads), grid((items + block.x - 1) / block.x);
    cudaLaunchKernel(stages[s].function, grid, block, args, block.x * sizeof(int), NULL);
  }
  return cudaDeviceSynchronize();
}
//// occupancy chooses the block, a helper times what it is given 1
//= histogram_smem <<<64, 256, 1024>>> n = 1000000
#include <cuda_runtime.h>
#include <algorithm>
#define BINS 256
__global__ void histogram_smem(const unsigned char *in, unsigned *out, int n) {
  extern __shared__ unsigned bins[];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&bins[in[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) atomicAdd(&out[b], bins[b]);
}
template <class F> float time_ms(F f, int repeats = 5) {
  cudaEvent_t a, b; float ms = 0;
  cudaEventCreate(&a); cudaEventCreate(&b);
  f();
  cudaEventRecord(a);
  for (int i = 0; i < repeats; ++i) f();
  cudaEventRecord(b); cudaEventSynchronize(b); cudaEventElapsedTime(&ms, a, b);
  return ms / repeats;
}
int main() {
  const int n = 1000000; unsigned char *in; unsigned *out; int minGrid = 0, block = 0;
  cudaMalloc(&in, n); cudaMalloc(&out, BINS * sizeof(unsigned));
  cudaOccupancyMaxPotentialBlockSize(&minGrid, &block, histogram_smem, BINS * sizeof(unsigned), 0);
  int grid = std::min(minGrid, (n + block - 1) / block);
  float ms = time_ms([&]() { histogram_smem<<<grid, block, BINS * sizeof(unsigned)>>>(in, out, n); });
  printf("%g ms\n", ms);
}
//// the driver interface: a module, a function by its name 1
//= VecAdd_kernel <<<196, 256>>> N = 50000 A[50000]
#include <cuda.h>
#include <stdio.h>
#include <string.h>
extern "C" __global__ void VecAdd_kernel(const float *A, const float *B, float *C, int N) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}
CUdevice cuDevice; CUcontext cuContext; CUmodule cuModule; CUfunction vecAdd_kernel;
CUdeviceptr d_A, d_B, d_C;
int main(int argc, char **argv) {
  int N = 50000, devID = 0;
  size_t size = N * sizeof(float);
  checkCudaErrors(cuInit(0));
  cuDevice = findCudaDeviceDRV(argc, (const char **)argv);
  checkCudaErrors(cuCtxCreate(&cuContext, 0, cuDevice));
  checkCudaErrors(cuModuleLoad(&cuModule, "vectorAdd_kernel64.fatbin"));
  checkCudaErrors(cuModuleGetFunction(&vecAdd_kernel, cuModule, "VecAdd_kernel"));
  checkCudaErrors(cuMemAlloc(&d_A, size));
  checkCudaErrors(cuMemAlloc(&d_B, size));
  checkCudaErrors(cuMemAlloc(&d_C, size));
  int threadsPerBlock = 256, blocksPerGrid = (N + threadsPerBlock - 1) / threadsPerBlock;
  void *args[] = {&d_A, &d_B, &d_C, &N};
  checkCudaErrors(cuLaunchKernel(vecAdd_kernel, blocksPerGrid, 1, 1, threadsPerBlock, 1, 1, 0, NULL, args, NULL));
  checkCudaErrors(cuCtxSynchronize());
  cuMemFree(d_A);
  exit(EXIT_SUCCESS);
}
//// a plan per device in an array of structs 1
//= reduceKernel <<<32, 256>>> N = 1048576 d_Input[1048576] d_Result[8192]
#include <stdio.h>
#include <assert.h>
#include <cuda_runtime.h>
#include <helper_functions.h>
#include <helper_cuda.h>
#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
typedef struct { int dataN; float *h_Data; float *h_Sum; float *d_Data; float *d_Sum; float *h_Sum_from_device; cudaStream_t stream; } TGPUplan;
const int MAX_GPU_COUNT = 32;
const int DATA_N = 1048576;
__global__ static void reduceKernel(float *d_Result, float *d_Input, int N) {
  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  const int threadN = gridDim.x * blockDim.x;
  float sum = 0;
  for (int pos = tid; pos < N; pos += threadN) sum += d_Input[pos];
  d_Result[tid] = sum;
}
int main(int argc, char **argv) {
  TGPUplan plan[MAX_GPU_COUNT];
  float h_SumGPU[MAX_GPU_COUNT];
  int i, j, gpuBase, GPU_N;
  const int BLOCK_N = 32;
  const int THREAD_N = 256;
  const int ACCUM_N = BLOCK_N * THREAD_N;
  checkCudaErrors(cudaGetDeviceCount(&GPU_N));
  if (GPU_N > MAX_GPU_COUNT) GPU_N = MAX_GPU_COUNT;
  for (i = 0; i < GPU_N; i++) plan[i].dataN = DATA_N / GPU_N;
  for (i = 0; i < DATA_N % GPU_N; i++) plan[i].dataN++;
  gpuBase = 0;
  for (i = 0; i < GPU_N; i++) { plan[i].h_Sum = h_SumGPU + i; gpuBase += plan[i].dataN; }
  for (i = 0; i < GPU_N; i++) {
    checkCudaErrors(cudaSetDevice(i));
    checkCudaErrors(cudaStreamCreate(&plan[i].stream));
    checkCudaErrors(cudaMalloc((void **)&plan[i].d_Data, plan[i].dataN * sizeof(float)));
    checkCudaErrors(cudaMalloc((void **)&plan[i].d_Sum, ACCUM_N * sizeof(float)));
    checkCudaErrors(cudaMallocHost((void **)&plan[i].h_Data, plan[i].dataN * sizeof(float)));
    for (j = 0; j < plan[i].dataN; j++) plan[i].h_Data[j] = (float)rand() / (float)RAND_MAX;
  }
  for (i = 0; i < GPU_N; i++) {
    checkCudaErrors(cudaSetDevice(i));
    checkCudaErrors(cudaMemcpyAsync(plan[i].d_Data, plan[i].h_Data, plan[i].dataN * sizeof(float), cudaMemcpyHostToDevice, plan[i].stream));
    reduceKernel<<<BLOCK_N, THREAD_N, 0, plan[i].stream>>>(plan[i].d_Sum, plan[i].d_Data, plan[i].dataN);
    getLastCudaError("reduceKernel() execution failed.\n");
  }
}
//// a volume in a three-dimensional array, its size a global extent 1
//= d_render <<<dim3(32, 32), dim3(16, 16)>>> imageW = 512
#include <helper_cuda.h>
#include <helper_math.h>
typedef unsigned int uint;
typedef unsigned char uchar;
typedef uchar VolumeType;
cudaArray *d_volumeArray = 0;
cudaTextureObject_t texObject;
typedef struct { float4 m[3]; } float3x4;
__constant__ float3x4 c_invViewMatrix;
cudaExtent volumeSize = make_cudaExtent(32, 32, 32);
uint width = 512, height = 512;
dim3 blockSize(16, 16);
dim3 gridSize;
__device__ float3 mul(const float3x4 &M, const float3 &v) { float3 r; r.x = dot(v, make_float3(M.m[0])); r.y = dot(v, make_float3(M.m[1])); r.z = dot(v, make_float3(M.m[2])); return r; }
__device__ uint rgba(float4 c) { c.x = __saturatef(c.x); c.y = __saturatef(c.y); return (uint(c.w * 255) << 24) | (uint(c.y * 255) << 8) | uint(c.x * 255); }
__global__ void d_render(uint *d_output, uint imageW, uint imageH, float density, cudaTextureObject_t tex) {
  uint x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if ((x >= imageW) || (y >= imageH)) return;
  float u = (x / (float)imageW) * 2.0f - 1.0f, v = (y / (float)imageH) * 2.0f - 1.0f;
  float3 pos = mul(c_invViewMatrix, make_float3(u, v, -2.0f)), step = normalize(make_float3(u, v, -2.0f)) * 0.05f;
  float4 sum = make_float4(0.0f);
  for (int i = 0; i < 40; i++) {
    float sample = tex3D<float>(tex, pos.x * 0.5f + 0.5f, pos.y * 0.5f + 0.5f, pos.z * 0.5f + 0.5f);
    float4 col = make_float4(sample, sample * 0.5f, 0.1f, sample) * density;
    sum = sum + col * (1.0f - sum.w);
    if (sum.w > 0.95f) break;
    pos += step;
  }
  d_output[y * imageW + x] = rgba(sum);
}
int iDivUp(int a, int b) { return (a % b != 0) ? (a / b + 1) : (a / b); }
extern "C" void initCuda(void *h_volume, cudaExtent volumeSize) {
  cudaChannelFormatDesc channelDesc = cudaCreateChannelDesc<VolumeType>();
  checkCudaErrors(cudaMalloc3DArray(&d_volumeArray, &channelDesc, volumeSize));
  cudaMemcpy3DParms copyParams = {0};
  copyParams.srcPtr = make_cudaPitchedPtr(h_volume, volumeSize.width * sizeof(VolumeType), volumeSize.width, volumeSize.height);
  copyParams.dstArray = d_volumeArray;
  copyParams.extent = volumeSize;
  copyParams.kind = cudaMemcpyHostToDevice;
  checkCudaErrors(cudaMemcpy3D(&copyParams));
  cudaResourceDesc texRes;
  memset(&texRes, 0, sizeof(cudaResourceDesc));
  texRes.resType = cudaResourceTypeArray;
  texRes.res.array.array = d_volumeArray;
  cudaTextureDesc texDescr;
  memset(&texDescr, 0, sizeof(cudaTextureDesc));
  texDescr.normalizedCoords = true;
  texDescr.filterMode = cudaFilterModeLinear;
  texDescr.readMode = cudaReadModeNormalizedFloat;
  checkCudaErrors(cudaCreateTextureObject(&texObject, &texRes, &texDescr, NULL));
}
extern "C" void render_kernel(dim3 gridSize, dim3 blockSize, uint *d_output, uint imageW, uint imageH, float density) {
  d_render<<<gridSize, blockSize>>>(d_output, imageW, imageH, density, texObject);
}
int main(int argc, char **argv) {
  const char *volumeFilename = "Bucky.raw"; uint *d_output;
  if (checkCmdLineFlag(argc, (const char **)argv, "volume")) { getCmdLineArgumentString(argc, (const char **)argv, "volume", (char **)&volumeFilename); }
  int n;
  if (checkCmdLineFlag(argc, (const char **)argv, "xsize")) { n = getCmdLineArgumentInt(argc, (const char **)argv, "xsize"); volumeSize.width = n; }
  char *path = sdkFindFilePath(volumeFilename, argv[0]);
  if (path == 0) { printf("Error finding file '%s'\n", volumeFilename); exit(EXIT_FAILURE); }
  size_t size = volumeSize.width * volumeSize.height * volumeSize.depth * sizeof(VolumeType);
  void *h_volume = malloc(size);
  initCuda(h_volume, volumeSize);
  free(h_volume);
  gridSize = dim3(iDivUp(width, blockSize.x), iDivUp(height, blockSize.y));
  checkCudaErrors(cudaMalloc((void **)&d_output, width * height * sizeof(uint)));
  checkCudaErrors(cudaMemset(d_output, 0, width * height * 4));
  for (int i = 0; i < 10; i++) render_kernel(gridSize, blockSize, d_output, width, height, 0.05f);
}
//// device function pointers read from symbols, a global array by its address 1
//= map_points <<<8, 128>>> n = 1024
#include <cuda_runtime.h>
typedef float (*unary_t)(float);
__device__ float square(float x) { return x * x; }
__device__ float half_of(float x) { return 0.5f * x; }
__device__ unary_t p_square = square;
__device__ unary_t p_half = half_of;
__device__ float buffer[1024];
__global__ void map_points(float *data, unary_t f, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] = f(data[i] + i); }
int main() {
  unary_t h_square, h_half;
  cudaMemcpyFromSymbol(&h_square, p_square, sizeof(unary_t));
  cudaMemcpyFromSymbol(&h_half, p_half, sizeof(unary_t));
  float *data; const int n = 1024;
  cudaGetSymbolAddress((void **)&data, buffer);
  map_points<<<n / 128, 128>>>(data, h_square, n);
  map_points<<<n / 128, 128>>>(data, h_half, n);
}
//// a view class with an index operator, nested templates, expression objects 2
//= assign_kernel <<<dim3(4, 16), dim3(32, 8)>>>
//= column_norms <<<1, 128>>>
#include <cstddef>
#include <utility>
#include <initializer_list>
namespace lin {
template <typename T, int Rank> class View {
  T *data_; int extent_[Rank]; int stride_[Rank];
 public:
  View(T *data, std::initializer_list<int> extents) : data_(data) {
    int k = 0;
    for (int e : extents) extent_[k++] = e;
    stride_[Rank - 1] = 1;
    for (int r = Rank - 2; r >= 0; --r) stride_[r] = stride_[r + 1] * extent_[r + 1];
  }
  template <typename... I> __host__ __device__ T &operator()(I... i) const { int index[Rank] = {static_cast<int>(i)...}; int at = 0; for (int r = 0; r < Rank; ++r) at += index[r] * stride_[r]; return data_[at]; }
  __host__ __device__ int extent(int r) const { return extent_[r]; }
};
template <class L, class R> struct Sum { L l; R r; __device__ auto operator()(int i, int j) const { return l(i, j) + r(i, j); } };
template <class L> struct Scaled { L l; float s; __device__ float operator()(int i, int j) const { return s * l(i, j); } };
template <class L, class R> __host__ Sum<L, R> add(L l, R r) { return {l, r}; }
template <class L> __host__ Scaled<L> scaled(L l, float s) { return {l, s}; }
template <class E> __global__ void assign_kernel(View<float, 2> to, E e) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < to.extent(0) && j < to.extent(1)) to(i, j) = e(i, j);
}
template <class E> void assign(View<float, 2> to, const E &e) {
  dim3 block(32, 8), grid((to.extent(1) + block.x - 1) / block.x, (to.extent(0) + block.y - 1) / block.y);
  assign_kernel<<<grid, block>>>(to, e);
}
}  // namespace lin
__global__ void column_norms(lin::View<float, 2> a, float *out) { int j = threadIdx.x; if (j < a.extent(1)) { float s = 0; for (int i = 0; i < a.extent(0); i++) s += a(i, j) * a(i, j); out[j] = sqrtf(s); } }
int main() {
  float *p[3], *norms; const int rows = 128, cols = 128;
  for (auto &q : p) cudaMalloc(&q, rows * cols * sizeof(float));
  cudaMalloc(&norms, cols * sizeof(float));
  lin::View<float, 2> a(p[0], {rows, cols}), b(p[1], {rows, cols}), c(p[2], {rows, cols});
  lin::assign(c, lin::add(lin::scaled(a, 2.0f), b));
  column_norms<<<1, cols>>>(c, norms);
}
//// specialised kernels, an anonymous namespace, a policy class 2
//= convert <<<4, 256>>> n = 1024
//= pack <<<8, 32>>> n = 1024
#include <cstdint>
namespace {
template <typename T> struct Traits;
template <> struct Traits<float> { using Wide = double; static constexpr int width = 1; };
template <> struct Traits<int8_t> { using Wide = int; static constexpr int width = 4; };
template <int THREADS, int ITEMS> struct Policy { enum { BLOCK = THREADS, PER = ITEMS, TILE = THREADS * ITEMS }; };
template <typename T> __global__ void convert(const T *in, typename Traits<T>::Wide *out, int n);
template <> __global__ void convert<float>(const float *in, double *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i]; }
template <typename P> __launch_bounds__(int(P::BLOCK)) __global__ void pack(const int8_t *in, int *out, int n) {
  const int tile = blockIdx.x * P::TILE;
#pragma unroll
  for (int k = 0; k < P::PER; ++k) {
    int i = tile + k * P::BLOCK + threadIdx.x;
    if (i < n) out[i] = in[i] * Traits<int8_t>::width;
  }
}
}
int main() {
  typedef Policy<32, 4> P;
  const int n = 1024; float *f; double *d; int8_t *b; int *w;
  cudaMalloc(&f, n * sizeof(float)); cudaMalloc(&d, n * sizeof(double)); cudaMalloc(&b, n); cudaMalloc(&w, n * sizeof(int));
  convert<float><<<n / 256, 256>>>(f, d, n);
  pack<P><<<n / P::TILE, P::BLOCK>>>(b, w, n);
}
//// sizes in a loop that doubles them, MPI around it, large dynamic shared memory 1
//= tile_mm <<<dim3(16, 16), dim3(32, 32), 65536>>> n = 512
#include <mpi.h>
#include <vector>
#include <cuda_runtime.h>
#define TILE 32
#define CUDA_OK(x) if ((x) != cudaSuccess) { MPI_Abort(MPI_COMM_WORLD, 1); }
__global__ void tile_mm(const double *a, const double *b, double *c, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  double(*sa)[TILE] = reinterpret_cast<double(*)[TILE]>(raw);
  double(*sb)[TILE] = sa + TILE;
  const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  double sum = 0;
  for (int t = 0; t < n; t += TILE) {
    sa[threadIdx.y][threadIdx.x] = a[y * n + t + threadIdx.x];
    sb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum = fma(sa[threadIdx.y][k], sb[k][threadIdx.x], sum);
    __syncthreads();
  }
  c[y * n + x] = sum;
}
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const size_t shared = 64 << 10;
  CUDA_OK(cudaFuncSetAttribute(tile_mm, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  for (int n = 64; n <= 512; n *= 2) {
    std::vector<double> h(n * n, 1.0);
    double *d[3];
    for (int k = 0; k < 3; k++) CUDA_OK(cudaMalloc(&d[k], n * n * sizeof(double)));
    dim3 threads(TILE, TILE), blocks(n / TILE, n / TILE);
    if (rank == 0) tile_mm<<<blocks, threads, shared>>>(d[0], d[1], d[2], n);
    MPI_Barrier(MPI_COMM_WORLD);
    for (auto p : d) cudaFree(p);
  }
  MPI_Finalize();
}
//// an image of unknown size is loaded by a helper of the samples 1
//= boxfilter <<<dim3(16, 16), dim3(16, 16)>>> w = 256 h = 256
#include <helper_cuda.h>
#include <helper_functions.h>
unsigned int width, height;
unsigned char *h_img = NULL;
__global__ void boxfilter(const unsigned char *in, unsigned char *out, int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int sum = 0, n = 0;
  for (int dy = -r; dy <= r; ++dy) for (int dx = -r; dx <= r; ++dx) { int xx = min(max(x + dx, 0), w - 1), yy = min(max(y + dy, 0), h - 1); sum += in[yy * w + xx]; ++n; }
  out[y * w + x] = (unsigned char)(sum / n);
}
void loadImageData(int argc, char **argv) {
  char *image_path = NULL;
  if (argc >= 1) { image_path = sdkFindFilePath("teapot512.pgm", argv[0]); }
  if (image_path == NULL) { fprintf(stderr, "Error finding image file\n"); exit(EXIT_FAILURE); }
  sdkLoadPGM(image_path, &h_img, &width, &height);
  if (!h_img) { printf("Error opening file '%s'\n", image_path); exit(EXIT_FAILURE); }
  printf("Loaded '%s', %d x %d pixels\n", image_path, width, height);
}
int main(int argc, char **argv) {
  unsigned char *in, *out;
  loadImageData(argc, argv);
  size_t bytes = width * height;
  checkCudaErrors(cudaMalloc((void **)&in, bytes));
  checkCudaErrors(cudaMalloc((void **)&out, bytes));
  checkCudaErrors(cudaMemcpy(in, h_img, bytes, cudaMemcpyHostToDevice));
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  boxfilter<<<grid, block>>>(in, out, width, height, 2);
}
//// an option class of the program itself, strings compared, a map of sizes 1
//= stream_copy <<<1024, 256>>> n = 262144
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>
class Options {
  std::map<std::string, std::string> values;
 public:
  Options(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
      std::string a = argv[i];
      auto eq = a.find('=');
      if (eq != std::string::npos) values[a.substr(0, eq)] = a.substr(eq + 1);
      else if (!strcmp(argv[i], "--help")) { std::cout << "help" << std::endl; exit(0); }
    }
  }
  int get(const std::string &name, int fallback) const {
    auto it = values.find(name);
    if (it == values.end()) return fallback;
    std::istringstream s(it->second);
    int v; s >> v; return v;
  }
};
template <typename T> __global__ void stream_copy(const T *__restrict__ a, T *__restrict__ c, unsigned int n) { unsigned int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) c[i] = a[i]; }
template <typename T> void run(unsigned int n, int block) {
  T *a, *c;
  cudaMalloc((void **)&a, n * sizeof(T)); cudaMalloc((void **)&c, n * sizeof(T));
  stream_copy<T><<<n / block, block>>>(a, c, n);
}
int main(int argc, char *argv[]) {
  Options opts(argc, argv);
  unsigned int n = opts.get("n", 262144);
  const int block = opts.get("block", 256);
  bool use_float = opts.get("float", 0) != 0;
  if (use_float) run<float>(n, block); else run<double>(n, block);
}
//// a persistent kernel with a queue, atomics of many kinds, fences 1
//= worker <<<16, 64>>> total = 512
#include <cuda_runtime.h>
struct Queue { int *items; int *head; int *tail; int capacity; };
struct Stats { unsigned long long pushed; int highest; float sum; unsigned flags; };
__device__ Stats stats;
__device__ unsigned int arrived = 0;
__device__ int pop(Queue q) { int at = atomicAdd(q.head, 1); return at < *(volatile int *)q.tail ? q.items[at % q.capacity] : -1; }
__global__ void worker(Queue q, int *done, int total) {
  __shared__ int next;
  __shared__ bool last;
  for (int round = 0; round < 64; ++round) {
    if (threadIdx.x == 0) next = pop(q);
    __syncthreads();
    int item = next;
    __syncthreads();
    if (item < 0) break;
    atomicMax(&stats.highest, item); atomicAdd(&stats.pushed, 1ull); atomicOr(&stats.flags, 1u << (item & 31)); atomicAdd(&stats.sum, 1.0f);
    int old = atomicCAS(&done[item & 511], 0, 1);
    if (old) atomicExch(&done[item & 511], 2 + threadIdx.x);
  }
  __threadfence();
  if (threadIdx.x == 0) last = atomicInc(&arrived, gridDim.x) == gridDim.x - 1;
  __syncthreads();
  if (last) for (int i = threadIdx.x; i < total; i += blockDim.x) done[i] += __ldcg(&q.items[i]) & 1;
}
int main() {
  Queue q; int *done, total = 512; q.capacity = total;
  cudaMalloc(&q.items, total * sizeof(int)); cudaMalloc(&q.head, sizeof(int)); cudaMalloc(&q.tail, sizeof(int)); cudaMalloc(&done, total * sizeof(int));
  cudaMemset(q.head, 0, sizeof(int)); cudaMemcpy(q.tail, &total, sizeof(int), cudaMemcpyHostToDevice);
  worker<<<16, 64>>>(q, done, total);
}
//// thrust and cub inside a class, functors of the program, a permutation 2
//= gather <<<40, 128>>> n = 5000
//= flag_heads <<<40, 128>>> n = 5000
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
struct saxpy_functor { const float a; saxpy_functor(float _a) : a(_a) {} __host__ __device__ float operator()(const float &x, const float &y) const { return a * x + y; } };
struct is_positive { __host__ __device__ bool operator()(const thrust::tuple<float, int> &t) const { return thrust::get<0>(t) > 0.f; } };
__global__ void gather(const float *in, const int *map, float *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[map[i] % n]; }
__global__ void flag_heads(const float *v, int *flags, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) flags[i] = i == 0 || v[i] != v[i - 1]; }
class Pipeline {
  thrust::device_vector<float> x, y; thrust::device_vector<int> map; thrust::host_vector<float> result; int n;
 public:
  Pipeline(int count) : x(count), y(count, 1.0f), map(count), n(count) { thrust::sequence(map.begin(), map.end()); }
  void run() {
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy_functor(2.0f));
    int threads = 128, blocks = (n + threads - 1) / threads;
    gather<<<blocks, threads>>>(thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(&map[0]), thrust::raw_pointer_cast(y.data()), n);
    flag_heads<<<blocks, threads>>>(thrust::raw_pointer_cast(&y[0]), thrust::raw_pointer_cast(map.data()), n);
    auto count = thrust::count_if(thrust::make_zip_iterator(thrust::make_tuple(y.begin(), map.begin())), thrust::make_zip_iterator(thrust::make_tuple(y.end(), map.end())), is_positive());
    thrust::device_ptr<float> p = thrust::device_pointer_cast(thrust::raw_pointer_cast(y.data()));
    result = y;
    float top = *thrust::max_element(p, p + n);
  }
};
int main() { Pipeline p(5000); p.run(); }
//// several files in one text: a header with kernels, a second source 2
//= grow <<<12, 64>>> n = 768
//= shrink <<<6, 128>>> n = 768
#include "kernels.cuh"
#include "sizes.h"
void second(float *x, int n);
int main() { float *x; cudaMalloc(&x, COUNT * sizeof(float)); grow<<<COUNT / BLOCK, BLOCK>>>(x, COUNT); second(x, COUNT); }
void second(float *x, int n) { shrink<<<n / (2 * BLOCK), 2 * BLOCK>>>(x, n); }
// #file "kernels.cuh"
#ifndef KERNELS_CUH
#define KERNELS_CUH
#include "sizes.h"
static __global__ void grow(float *x, int n) { int i = blockIdx.x * BLOCK + threadIdx.x; if (i < n) x[i] += 1.0f; }
static __global__ void shrink(float *x, int n) { int i = blockIdx.x * 2 * BLOCK + threadIdx.x; if (i < n) x[i] *= 0.5f; }
#endif
// #file "sizes.h"
#pragma once
#define COUNT 768
static const int BLOCK = 64;
