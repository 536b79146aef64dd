//// device lambda passed from main, captured by value 1
//= for_each_index <<<40, 256>>> n = 10000
#include <cstdio>
#include <cuda_runtime.h>
template <typename F>
__global__ void for_each_index(int n, F body) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) body(i);
}
template <typename F>
void parallel_for(int n, F &&body) {
  constexpr int block = 256;
  const int grid = (n + block - 1) / block;
  for_each_index<<<grid, block>>>(n, body);
  cudaDeviceSynchronize();
}
int main() {
  const int n = 10000;
  float *x = nullptr, *y = nullptr;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  for (int i = 0; i < n; ++i) { x[i] = 1.0f * i; y[i] = 2.0f; }
  const float a = 3.5f;
  parallel_for(n, [=] __device__(int i) { y[i] = a * x[i] + y[i]; });
  printf("%f\n", y[n / 2]);
  cudaFree(x);
  cudaFree(y);
  return 0;
}
//// functor with a virtual method, object made on the device 1 refused: virtual functions
//= make_shapes <<<1, 1>>> n = 128
//= area_of_all <<<2, 64>>> n = 128 areas[128]
#include <iostream>
#include <vector>
struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : public Shape {
  float side;
  __device__ Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Disc : public Shape {
  float r;
  __device__ Disc(float radius) : r(radius) {}
  __device__ float area() const override { return 3.14159f * r * r; }
};
__global__ void make_shapes(Shape **all, int n) {
  for (int i = 0; i < n; i++) {
    if (i % 2) all[i] = new Square(i * 0.5f);
    else all[i] = new Disc(i * 0.25f);
  }
}
__global__ void area_of_all(Shape **all, float *areas, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) areas[i] = all[i]->area();
}
int main(int argc, char *argv[]) {
  int n = 128;
  Shape **all;
  float *areas;
  cudaMalloc(&all, n * sizeof(Shape *));
  cudaMalloc(&areas, n * sizeof(float));
  make_shapes<<<1, 1>>>(all, n);
  area_of_all<<<(n + 63) / 64, 64>>>(all, areas, n);
  std::vector<float> host(n);
  cudaMemcpy(host.data(), areas, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::cout << host[5] << std::endl;
}
//// overloaded kernels and kernels as arguments of a template 3
//= fill <<<8, 128>>> n = 1000
//= scale <<<16, 64>>> x[1000]
//= offset <<<16, 64>>> x[1000]
#define CHECK(call)                                                              \
  do {                                                                           \
    cudaError_t status_ = (call);                                                \
    if (status_ != cudaSuccess) {                                                \
      fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(status_)); \
      exit(EXIT_FAILURE);                                                        \
    }                                                                            \
  } while (0)
__global__ void fill(float *x, float v, int n) { int i = blockDim.x * blockIdx.x + threadIdx.x; if (i < n) x[i] = v; }
__global__ void fill(int *x, int v, int n) { int i = blockDim.x * blockIdx.x + threadIdx.x; if (i < n) x[i] = v; }
__global__ void scale(float *x, float by, int n) { int i = blockDim.x * blockIdx.x + threadIdx.x; if (i < n) x[i] *= by; }
__global__ void offset(float *x, float by, int n) { int i = blockDim.x * blockIdx.x + threadIdx.x; if (i < n) x[i] += by; }
typedef void (*Kernel)(float *, float, int);
template <Kernel kernel> void run(float *x, float by, int n) { kernel<<<(n + 63) / 64, 64>>>(x, by, n); CHECK(cudaGetLastError()); }
int main(void) {
  const int n = 1000;
  float *x; int *k;
  CHECK(cudaMalloc((void **)&x, n * sizeof(*x)));
  CHECK(cudaMalloc((void **)&k, n * sizeof(*k)));
  fill<<<(n + 127) / 128, 128>>>(x, 1.0f, n);
  fill<<<(n + 127) / 128, 128>>>(k, 7, n);
  run<scale>(x, 2.0f, n);
  run<offset>(x, 0.5f, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x)); CHECK(cudaFree(k));
  return 0;
}
//// options by getopt with a struct of parameters 1
//= jacobi <<<dim3(64, 32), dim3(16, 8)>>> nx = 1024 ny = 256
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <getopt.h>
#include <string.h>
typedef struct { int nx, ny, steps; float tol; char *input; int verbose; } params_t;
static struct option long_options[] = {
  {"nx", required_argument, 0, 'x'}, {"ny", required_argument, 0, 'y'}, {"steps", required_argument, NULL, 's'}, {"help", no_argument, 0, 'h'}, {0, 0, 0, 0}};
static void usage(const char *name) { fprintf(stderr, "Usage: %s [-x N] [-y N] [-s N]\n", name); exit(1); }
static params_t parse(int argc, char **argv) {
  params_t p; int c, index = 0;
  p.nx = 1024; p.ny = 256; p.steps = 10; p.tol = 1e-4f; p.input = NULL; p.verbose = 0;
  while ((c = getopt_long(argc, argv, "x:y:s:hv", long_options, &index)) != -1) {
    switch (c) {
      case 'x': p.nx = atoi(optarg); break;
      case 'y': p.ny = atoi(optarg); break;
      case 's': p.steps = strtol(optarg, NULL, 10); break;
      case 'v': p.verbose++; break;
      case 'h':
      default: usage(argv[0]);
    }
  }
  if (p.nx <= 0 || p.ny <= 0) usage(argv[0]);
  return p;
}
__global__ void jacobi(const float *__restrict__ in, float *__restrict__ out, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
    out[y * nx + x] = 0.25f * (in[y * nx + x - 1] + in[y * nx + x + 1] + in[(y - 1) * nx + x] + in[(y + 1) * nx + x]);
}
int main(int argc, char **argv) {
  params_t p = parse(argc, argv);
  size_t bytes = (size_t)p.nx * p.ny * sizeof(float);
  float *h = (float *)malloc(bytes), *d_in, *d_out;
  if (!h) { perror("malloc"); return -1; }
  memset(h, 0, bytes);
  cudaMalloc((void **)&d_in, bytes);
  cudaMalloc((void **)&d_out, bytes);
  cudaMemcpy(d_in, h, bytes, cudaMemcpyHostToDevice);
  dim3 block(16, 8);
  dim3 grid((p.nx + block.x - 1) / block.x, (p.ny + block.y - 1) / block.y);
  cudaEvent_t start, stop; float ms;
  cudaEventCreate(&start); cudaEventCreate(&stop);
  cudaEventRecord(start, 0);
  for (int step = 0; step < p.steps; step++) {
    jacobi<<<grid, block>>>(d_in, d_out, p.nx, p.ny);
    float *t = d_in; d_in = d_out; d_out = t;
  }
  cudaEventRecord(stop, 0); cudaEventSynchronize(stop); cudaEventElapsedTime(&ms, start, stop);
  printf("%.3f ms\n", ms);
  cudaFree(d_in); cudaFree(d_out); free(h);
  return 0;
}
//// three-dimensional memory with a pitched pointer 1
//= diffuse3d <<<dim3(8, 8, 16), dim3(8, 8, 4)>>>
#include <cuda_runtime.h>
__global__ void diffuse3d(cudaPitchedPtr volume, cudaExtent extent, float rate) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= extent.width / sizeof(float) || y >= extent.height || z >= extent.depth) return;
  char *base = (char *)volume.ptr;
  size_t slice = volume.pitch * extent.height;
  float *row = (float *)(base + z * slice + y * volume.pitch);
  row[x] = row[x] * (1.0f - rate);
}
int main() {
  const int w = 64, h = 64, d = 64;
  cudaExtent extent = make_cudaExtent(w * sizeof(float), h, d);
  cudaPitchedPtr volume;
  cudaMalloc3D(&volume, extent);
  cudaMemset3D(volume, 0, extent);
  dim3 threads(8, 8, 4);
  dim3 blocks(w / threads.x, h / threads.y, d / threads.z);
  diffuse3d<<<blocks, threads>>>(volume, extent, 0.1f);
  cudaDeviceSynchronize();
  cudaFree(volume.ptr);
}
//// texture object over a CUDA array whose size the host gives 1
//= rotate_image <<<dim3(32, 24), dim3(16, 16)>>> width = 512 height = 384 out[196608]
#include <cuda_runtime.h>
#include <math.h>
#include "helper_cuda.h"
const float angle = 0.5f;
__global__ void rotate_image(float *out, int width, int height, float theta, cudaTextureObject_t tex) {
  unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = (float)x - (float)width / 2, v = (float)y - (float)height / 2;
  float tu = (u * cosf(theta) - v * sinf(theta)) / width + 0.5f;
  float tv = (v * cosf(theta) + u * sinf(theta)) / height + 0.5f;
  out[y * width + x] = tex2D<float>(tex, tu, tv);
}
int main(int argc, char **argv) {
  unsigned int width = 512, height = 384;
  unsigned int size = width * height * sizeof(float);
  float *h = (float *)malloc(size), *d_out = NULL;
  checkCudaErrors(cudaMalloc((void **)&d_out, size));
  cudaChannelFormatDesc desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray *array;
  checkCudaErrors(cudaMallocArray(&array, &desc, width, height));
  checkCudaErrors(cudaMemcpyToArray(array, 0, 0, h, size, cudaMemcpyHostToDevice));
  cudaTextureObject_t tex;
  cudaResourceDesc res;
  memset(&res, 0, sizeof(cudaResourceDesc));
  res.resType = cudaResourceTypeArray;
  res.res.array.array = array;
  cudaTextureDesc how;
  memset(&how, 0, sizeof(cudaTextureDesc));
  how.normalizedCoords = true;
  how.filterMode = cudaFilterModeLinear;
  how.addressMode[0] = cudaAddressModeWrap;
  how.addressMode[1] = cudaAddressModeWrap;
  how.readMode = cudaReadModeElementType;
  checkCudaErrors(cudaCreateTextureObject(&tex, &res, &how, NULL));
  dim3 dimBlock(16, 16, 1);
  dim3 dimGrid(width / dimBlock.x, height / dimBlock.y, 1);
  rotate_image<<<dimGrid, dimBlock, 0>>>(d_out, width, height, angle, tex);
  getLastCudaError("kernel failed");
  checkCudaErrors(cudaDestroyTextureObject(tex));
  checkCudaErrors(cudaFreeArray(array));
  checkCudaErrors(cudaFree(d_out));
  return 0;
}
//// linear texture object from a buffer, and a surface that is written 2
//= gather_linear <<<32, 128>>> n = 4096 out[4096]
//= invert <<<dim3(16, 16), dim3(16, 16)>>> w = 256 h = 256
#include <cuda_runtime.h>
__global__ void gather_linear(cudaTextureObject_t values, const int *index, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float>(values, index[i] & 1023);
}
__global__ void invert(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    uchar4 c;
    surf2Dread(&c, in, x * 4, y);
    c.x = 255 - c.x; c.y = 255 - c.y; c.z = 255 - c.z;
    surf2Dwrite(c, out, x * 4, y, cudaBoundaryModeTrap);
  }
}
static cudaTextureObject_t make_linear(float *d, size_t n) {
  cudaResourceDesc res = {};
  res.resType = cudaResourceTypeLinear;
  res.res.linear.devPtr = d;
  res.res.linear.desc = cudaCreateChannelDesc<float>();
  res.res.linear.sizeInBytes = n * sizeof(float);
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t tex = 0;
  cudaCreateTextureObject(&tex, &res, &how, nullptr);
  return tex;
}
static cudaSurfaceObject_t make_surface(cudaArray_t array) {
  cudaResourceDesc res{};
  res.resType = cudaResourceTypeArray;
  res.res.array.array = array;
  cudaSurfaceObject_t s;
  cudaCreateSurfaceObject(&s, &res);
  return s;
}
int main() {
  const int n = 4096;
  float *values, *out; int *index;
  cudaMalloc(&values, 1024 * sizeof(float)); cudaMalloc(&out, n * sizeof(float)); cudaMalloc(&index, n * sizeof(int));
  cudaTextureObject_t tex = make_linear(values, 1024);
  gather_linear<<<n / 128, 128>>>(tex, index, out, n);
  const int w = 256, h = 256;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t a, b;
  cudaMallocArray(&a, &format, w, h, cudaArraySurfaceLoadStore);
  cudaMallocArray(&b, &format, w, h, cudaArraySurfaceLoadStore);
  auto in = make_surface(a), to = make_surface(b);
  dim3 t(16, 16), g((w + t.x - 1) / t.x, (h + t.y - 1) / t.y);
  invert<<<g, t>>>(in, to, w, h);
  cudaDestroySurfaceObject(in); cudaDestroySurfaceObject(to);
}
//// a struct in constant memory, copied by symbol 1
//= trace_rays <<<dim3(40, 30), dim3(16, 16)>>> image[307200]
#include <cuda_runtime.h>
struct Sphere { float3 center; float radius; float3 color; int kind; };
struct Camera { float3 origin, forward, right, up; float fov; int width, height; };
#define MAX_SPHERES 20
__constant__ Sphere c_spheres[MAX_SPHERES];
__constant__ Camera c_camera;
__device__ inline float3 operator+(const float3 &a, const float3 &b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ inline float3 operator*(const float3 &a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator-(const float3 &a, const float3 &b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ inline float dot3(const float3 &a, const float3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ bool hit(const Sphere &s, const float3 &o, const float3 &d, float *t) {
  float3 oc = o - s.center;
  float b = dot3(oc, d), c = dot3(oc, oc) - s.radius * s.radius, h = b * b - c;
  if (h < 0.f) return false;
  *t = -b - sqrtf(h);
  return *t > 0.f;
}
__global__ void trace_rays(uchar4 *image, int count) {
  int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= c_camera.width || y >= c_camera.height) return;
  float u = (x + 0.5f) / c_camera.width - 0.5f, v = (y + 0.5f) / c_camera.height - 0.5f;
  float3 d = c_camera.forward + c_camera.right * (u * c_camera.fov) + c_camera.up * v;
  float best = 1e30f; float3 color = {0.f, 0.f, 0.f};
  for (int i = 0; i < count; i++) {
    float t;
    if (hit(c_spheres[i], c_camera.origin, d, &t) && t < best) { best = t; color = c_spheres[i].color; }
  }
  image[y * c_camera.width + x] = make_uchar4(color.x * 255, color.y * 255, color.z * 255, 255);
}
int main() {
  Camera cam; Sphere s[MAX_SPHERES];
  cam.origin = make_float3(0, 0, -5); cam.forward = make_float3(0, 0, 1); cam.right = make_float3(1, 0, 0); cam.up = make_float3(0, 1, 0);
  cam.fov = 1.2f; cam.width = 640; cam.height = 480;
  for (int i = 0; i < MAX_SPHERES; i++) { s[i].center = make_float3(i, 0, 0); s[i].radius = 1.0f; s[i].color = make_float3(1, 0, 0); s[i].kind = i % 3; }
  cudaMemcpyToSymbol(c_spheres, s, sizeof(Sphere) * MAX_SPHERES);
  cudaMemcpyToSymbol(c_camera, &cam, sizeof(Camera));
  uchar4 *image;
  cudaMalloc(&image, cam.width * cam.height * sizeof(uchar4));
  dim3 grids(640 / 16, 480 / 16), threads(16, 16);
  trace_rays<<<grids, threads>>>(image, MAX_SPHERES);
  cudaFree(image);
  return 0;
}
//// sort by thrust between two own kernels, cub with its two calls 2
//= make_keys <<<128, 256>>> n = 32768
//= mark_starts <<<128, 256>>> n = 32768 keys[32768]
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <thrust/scan.h>
#include <thrust/execution_policy.h>
#include <cub/cub.cuh>
#include <algorithm>
__global__ void make_keys(const float4 *pos, unsigned *keys, int *ids, int n, float cell) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = pos[i];
  unsigned ix = (unsigned)(p.x / cell) & 63u, iy = (unsigned)(p.y / cell) & 63u;
  keys[i] = iy * 64u + ix;
  ids[i] = i;
}
__global__ void mark_starts(const unsigned *keys, int *start, int *end, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i == 0 || keys[i] != keys[i - 1]) start[keys[i] & 4095u] = i;
  if (i == n - 1 || keys[i] != keys[i + 1]) end[keys[i] & 4095u] = i + 1;
}
int main(int argc, char **argv) {
  const int n = 1 << 15;
  thrust::device_vector<float4> pos(n);
  thrust::device_vector<unsigned> keys(n), keys2(n);
  thrust::device_vector<int> ids(n), start(4096, -1), end(4096, -1);
  const int threads = 256, blocks = (n + threads - 1) / threads;
  make_keys<<<blocks, threads>>>(thrust::raw_pointer_cast(pos.data()), thrust::raw_pointer_cast(keys.data()), thrust::raw_pointer_cast(ids.data()), n, 0.1f);
  thrust::sort_by_key(thrust::device, keys.begin(), keys.end(), ids.begin());
  void *temp = nullptr; size_t bytes = 0;
  cub::DeviceRadixSort::SortKeys(temp, bytes, thrust::raw_pointer_cast(keys.data()), thrust::raw_pointer_cast(keys2.data()), n);
  cudaMalloc(&temp, bytes);
  cub::DeviceRadixSort::SortKeys(temp, bytes, thrust::raw_pointer_cast(keys.data()), thrust::raw_pointer_cast(keys2.data()), n);
  mark_starts<<<blocks, threads>>>(keys.data().get(), start.data().get(), end.data().get(), n);
  int total = thrust::reduce(ids.begin(), ids.end(), 0, thrust::plus<int>());
  std::cout << total << "\n";
  cudaFree(temp);
}
//// cooperative launch with a barrier of the grid 1
//= sum_all <<<128, 256, 1024>>> n = 1048576
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
#include <stdio.h>
namespace cg = cooperative_groups;
__device__ __managed__ double result = 0.0;
__global__ void sum_all(const float *in, float *partial, int n) {
  extern __shared__ float tile[];
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  float mine = 0;
  for (unsigned int i = grid.thread_rank(); i < n; i += grid.size()) mine += in[i];
  tile[block.thread_rank()] = mine;
  cg::sync(block);
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  float v = cg::reduce(warp, tile[block.thread_rank()], cg::plus<float>());
  if (warp.thread_rank() == 0) atomicAdd(&partial[blockIdx.x], v);
  cg::sync(grid);
  if (grid.thread_rank() == 0) { double s = 0; for (int b = 0; b < gridDim.x; b++) s += partial[b]; result = s; }
}
int main() {
  int n = 1 << 20, device = 0, supports = 0;
  cudaDeviceGetAttribute(&supports, cudaDevAttrCooperativeLaunch, device);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, device);
  float *in, *partial;
  cudaMallocManaged(&in, n * sizeof(float));
  int threads = 256, perSm = 2, blocks = 128;
  cudaMallocManaged(&partial, blocks * sizeof(float));
  void *args[] = {(void *)&in, (void *)&partial, (void *)&n};
  cudaLaunchCooperativeKernel((void *)sum_all, dim3(blocks), dim3(threads), args, threads * sizeof(float), 0);
  cudaDeviceSynchronize();
  printf("%f\n", result);
}
//// dynamic shared memory of several types, a block-wide partition 1
//= partition <<<16, 128, 1536>>> n = 2048
#include <cuda_runtime.h>
template <typename T> struct SharedMemory {
  __device__ inline operator T *() { extern __shared__ int __smem[]; return (T *)__smem; }
  __device__ inline operator const T *() const { extern __shared__ int __smem[]; return (T *)__smem; }
};
template <> struct SharedMemory<double> {
  __device__ inline operator double *() { extern __shared__ double __smem_d[]; return (double *)__smem_d; }
};
template <class T> __global__ void partition(const T *in, T *out, unsigned short *bucket, int n) {
  T *values = SharedMemory<T>();
  int *flags = (int *)&values[blockDim.x];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[threadIdx.x] = i < n ? in[i] : T(0);
  flags[threadIdx.x] = values[threadIdx.x] > T(0.5) ? 1 : 0;
  __syncthreads();
  for (unsigned int d = 1; d < blockDim.x; d <<= 1) {
    int v = threadIdx.x >= d ? flags[threadIdx.x - d] : 0;
    __syncthreads();
    flags[threadIdx.x] += v;
    __syncthreads();
  }
  if (i < n) { out[i] = values[threadIdx.x]; bucket[i] = (unsigned short)flags[threadIdx.x]; }
}
template <class T> void runPartition(int n) {
  T *in, *out; unsigned short *bucket;
  cudaMalloc(&in, n * sizeof(T)); cudaMalloc(&out, n * sizeof(T)); cudaMalloc(&bucket, n * sizeof(unsigned short));
  int threads = 128;
  size_t shared = threads * (sizeof(T) + sizeof(int));
  partition<T><<<n / threads, threads, shared>>>(in, out, bucket, n);
  cudaFree(in); cudaFree(out); cudaFree(bucket);
}
int main() { runPartition<double>(2048); return 0; }
//// K and R code with prototypes ahead and globals, one file for host and device 2
//= cuda_init <<<4, 64>>> n = 256
//= cuda_step <<<4, 64>>> n = 256
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#ifdef RD_WG_SIZE_0
#define NTHREADS RD_WG_SIZE_0
#else
#define NTHREADS 64
#endif
int n; float *h_a, *h_b; float *d_a, *d_b;
void init(); void step(int k); void usage(char *name); double now();
__global__ void cuda_init(float *a, float *b, int n) { int tid = blockDim.x * blockIdx.x + threadIdx.x; if (tid >= n) return; a[tid] = tid; b[tid] = 0.0f; }
__global__ void cuda_step(float *a, float *b, int n, int k) { int tid = blockDim.x * blockIdx.x + threadIdx.x; if (tid >= n - 1) return; b[tid] = a[tid + 1] * k; }
int main(argc, argv) int argc; char **argv; {
  int k;
  if (argc < 2) { n = 256; } else { n = atoi(argv[1]); }
  init();
  for (k = 0; k < 3; k++) step(k);
  printf("%lf\n", now());
  return 0;
}
void init() {
  h_a = (float *)malloc(n * sizeof(float)); h_b = (float *)malloc(n * sizeof(float));
  cudaMalloc((void **)&d_a, n * sizeof(float)); cudaMalloc((void **)&d_b, n * sizeof(float));
  cuda_init<<<(n + NTHREADS - 1) / NTHREADS, NTHREADS>>>(d_a, d_b, n);
}
void step(int k) { cuda_step<<<(n + NTHREADS - 1) / NTHREADS, NTHREADS>>>(d_a, d_b, n, k); cudaThreadSynchronize(); }
double now() { struct timeval t; gettimeofday(&t, NULL); return t.tv_sec + t.tv_usec * 1e-6; }
