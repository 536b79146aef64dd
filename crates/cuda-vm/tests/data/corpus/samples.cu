//// asyncAPI 1
#include <helper_cuda.h>
#include <helper_functions.h>
__global__ void increment_kernel(int *g_data, int inc_value) { int idx = blockIdx.x * blockDim.x + threadIdx.x; g_data[idx] = g_data[idx] + inc_value; }
bool correct_output(int *data, const int n, const int x) { for (int i = 0; i < n; i++) if (data[i] != x) { printf("Error! data[%d] = %d, ref = %d\n", i, data[i], x); return false; } return true; }
int main(int argc, char *argv[]) {
  int devID; cudaDeviceProp deviceProps;
  devID = findCudaDevice(argc, (const char **)argv);
  checkCudaErrors(cudaGetDeviceProperties(&deviceProps, devID));
  int n = 16 * 1024, nbytes = n * sizeof(int), value = 26; int *a = 0, *d_a = 0;
  checkCudaErrors(cudaMallocHost((void **)&a, nbytes)); memset(a, 0, nbytes);
  checkCudaErrors(cudaMalloc((void **)&d_a, nbytes));
  dim3 threads = dim3(512, 1), blocks = dim3(n / threads.x, 1);
  cudaEvent_t start, stop; checkCudaErrors(cudaEventCreate(&start));
  StopWatchInterface *timer = NULL; sdkCreateTimer(&timer); sdkResetTimer(&timer);
  float gpu_time = 0.0f; sdkStartTimer(&timer); cudaEventRecord(start, 0);
  increment_kernel<<<blocks, threads, 0, 0>>>(d_a, value);
  unsigned long int counter = 0; while (cudaEventQuery(stop) == cudaErrorNotReady) { counter++; }
}
//// warpAggregatedAtomics 3
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
#define NUM_ELEMS 4096
__device__ int atomicAggInc(int *counter) { cg::coalesced_group active = cg::coalesced_threads(); int res = 0; if (active.thread_rank() == 0) res = atomicAdd(counter, active.size()); res = active.shfl(res, 0); return res + active.thread_rank(); }
__global__ void filter_arr(int *dst, int *nres, const int *src, int n) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  for (int i = id; i < n; i += gridDim.x * blockDim.x) { if (src[i] > 0) dst[atomicAggInc(nres)] = src[i]; }
}
__device__ int atomicAggIncMulti(const int bucket, int *counter) {
  cg::coalesced_group active = cg::coalesced_threads();
  auto labeledGroup = cg::labeled_partition(active, bucket);
  int res = 0; if (labeledGroup.thread_rank() == 0) res = atomicAdd(&counter[bucket], labeledGroup.size());
  res = labeledGroup.shfl(res, 0); return res + labeledGroup.thread_rank();
}
__global__ void mapToBuckets(const int *srcArr, int *indicesBuckets, int *bucketCounters, const int srcSize, const int numOfBuckets) {
  cg::grid_group grid = cg::this_grid();
  for (int i = grid.thread_rank(); i < srcSize; i += grid.size()) { const int bucket = srcArr[i]; if (bucket < numOfBuckets) indicesBuckets[i] = atomicAggIncMulti(bucket, bucketCounters); }
}
__global__ void calculateMaxInEachBuckets(const int *srcArr, const int *valueInBuckets, int *bucketsMax, const int srcSize, const int numOfBuckets) {
  cg::grid_group grid = cg::this_grid();
  for (int i = grid.thread_rank(); i < srcSize; i += grid.size()) {
    const int bucket = srcArr[i];
    if (bucket < numOfBuckets) {
      cg::coalesced_group active = cg::coalesced_threads();
      auto g = cg::labeled_partition(active, bucket);
      const int v = cg::reduce(g, valueInBuckets[i], cg::greater<int>());
      if (g.thread_rank() == 0) atomicMax(&bucketsMax[bucket], v);
    }
  }
}
//// simpleTexture 1
const float angle = 0.5f;
__global__ void transformKernel(float *outputData, int width, int height, float theta, cudaTextureObject_t tex) {
  unsigned int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = (float)x - (float)width / 2, v = (float)y - (float)height / 2;
  float tu = u * cosf(theta) - v * sinf(theta), tv = v * cosf(theta) + u * sinf(theta);
  tu /= (float)width; tv /= (float)height;
  outputData[y * width + x] = tex2D<float>(tex, tu + 0.5f, tv + 0.5f);
}
//// simpleLayeredTexture 1
__global__ void transformKernel(float *g_odata, int width, int height, int layer, cudaTextureObject_t tex) {
  unsigned int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = (x + 0.5f) / (float)width, v = (y + 0.5f) / (float)height;
  g_odata[layer * width * height + y * width + x] = -tex2DLayered<float>(tex, u, v, layer) + layer;
}
//// simpleCubemapTexture 1
__global__ void transformKernel(float *g_odata, int width, cudaTextureObject_t tex) {
  unsigned int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = ((x + 0.5f) / (float)width) * 2.f - 1.f, v = ((y + 0.5f) / (float)width) * 2.f - 1.f; float cx, cy, cz;
  for (unsigned int face = 0; face < 6; face++) {
    if (face == 0) { cx = 1; cy = -v; cz = -u; } else if (face == 1) { cx = -1; cy = -v; cz = u; } else { cx = u; cy = v; cz = 1; }
    g_odata[face * width * width + y * width + x] = -texCubemap<float>(tex, cx, cy, cz);
  }
}
//// simpleSurfaceWrite 2
__global__ void surfaceWriteKernel(float *gIData, int width, int height, cudaSurfaceObject_t outputSurface) {
  unsigned int x = blockIdx.x*blockDim.x + threadIdx.x, y = blockIdx.y*blockDim.y + threadIdx.y;
  surf2Dwrite(gIData[y * width + x], outputSurface, x*4, y, cudaBoundaryModeTrap);
}
__global__ void transformKernel(float *gOData, int width, int height, float theta, cudaTextureObject_t tex) {
  unsigned int x = blockIdx.x*blockDim.x + threadIdx.x, y = blockIdx.y*blockDim.y + threadIdx.y;
  gOData[y * width + x] = tex2D<float>(tex, x / (float) width, y / (float) height);
}
//// surfaceReference 1
surface<void, 2> outputSurface;
__global__ void copy(uchar4 *out, int width) {
  int x = threadIdx.x, y = blockIdx.x; uchar4 d;
  surf2Dread(&d, outputSurface, x * sizeof(uchar4), y);
  surf2Dwrite(make_uchar4(d.y, d.x, d.z, d.w), outputSurface, x * sizeof(uchar4), y, cudaBoundaryModeClamp);
  out[y * width + x] = surf2Dread<uchar4>(outputSurface, x * 4, y);
}
//// bilateralFilter 1
#include <helper_math.h>
__constant__ float cGaussian[64];
texture<uchar4, 2, cudaReadModeNormalizedFloat> rgbaTex;
uint *dImage = NULL, *dTemp = NULL; size_t pitch;
__device__ float euclideanLen(float4 a, float4 b, float d) { float mod = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y) + (b.z - a.z) * (b.z - a.z); return __expf(-mod / (2.f * d * d)); }
__device__ uint rgbaFloatToInt(float4 rgba) { rgba.x = __saturatef(fabs(rgba.x)); rgba.y = __saturatef(fabs(rgba.y)); rgba.z = __saturatef(fabs(rgba.z)); rgba.w = __saturatef(fabs(rgba.w)); return (uint(rgba.w * 255.0f) << 24) | (uint(rgba.z * 255.0f) << 16) | (uint(rgba.y * 255.0f) << 8) | uint(rgba.x * 255.0f); }
__device__ float4 rgbaIntToFloat(uint c) { float4 rgba; rgba.x = (c & 0xff) * 0.003921568627f; rgba.y = ((c>>8) & 0xff) * 0.003921568627f; rgba.z = ((c>>16) & 0xff) * 0.003921568627f; rgba.w = ((c>>24) & 0xff) * 0.003921568627f; return rgba; }
__global__ void d_bilateral_filter(uint *od, int w, int h, float e_d, int r, cudaTextureObject_t tex) {
  int x = blockIdx.x*blockDim.x + threadIdx.x, y = blockIdx.y*blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0.0f, factor; float4 t = {0.f, 0.f, 0.f, 0.f}; float4 center = tex2D<float4>(tex, x, y);
  for (int i = -r; i <= r; i++) for (int j = -r; j <= r; j++) {
    float4 curPix = tex2D<float4>(tex, x + j, y + i);
    factor = cGaussian[i + r] * cGaussian[j + r] * euclideanLen(curPix, center, e_d);
    t += factor * curPix; sum += factor;
  }
  od[y * w + x] = rgbaFloatToInt(t/sum);
}
__global__ void d_old(uint *od, int w, int h) { int x = blockIdx.x*blockDim.x + threadIdx.x, y = blockIdx.y; if (x < w) od[y * w + x] = rgbaFloatToInt(tex2D(rgbaTex, x, y)); }
extern "C" double bilateralFilterRGBA(uint *dDest, int width, int height, float e_d, int radius, int iterations, StopWatchInterface *timer) {
  dim3 gridSize((width + 16 - 1) / 16, (height + 16 - 1) / 16); dim3 blockSize(16, 16);
  for (int i = 0; i < iterations; i++) { d_bilateral_filter<<<gridSize, blockSize>>>(dDest, width, height, e_d, radius, rgbaTexdImage); }
  return 0;
}
//// convolutionSeparable 2
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define KERNEL_RADIUS 8
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
__constant__ float c_Kernel[KERNEL_LENGTH];
extern "C" void setConvolutionKernel(float *h_Kernel) { cudaMemcpyToSymbol(c_Kernel, h_Kernel, KERNEL_LENGTH * sizeof(float)); }
#define ROWS_BLOCKDIM_X 16
#define ROWS_BLOCKDIM_Y 4
#define ROWS_RESULT_STEPS 8
#define ROWS_HALO_STEPS 1
__global__ void convolutionRowsKernel(float *d_Dst, float *d_Src, int imageW, int imageH, int pitch) {
  cg::thread_block cta = cg::this_thread_block();
  __shared__ float s_Data[ROWS_BLOCKDIM_Y][(ROWS_RESULT_STEPS + 2 * ROWS_HALO_STEPS) * ROWS_BLOCKDIM_X];
  const int baseX = (blockIdx.x * ROWS_RESULT_STEPS - ROWS_HALO_STEPS) * ROWS_BLOCKDIM_X + threadIdx.x, baseY = blockIdx.y * ROWS_BLOCKDIM_Y + threadIdx.y;
  d_Src += baseY * pitch + baseX; d_Dst += baseY * pitch + baseX;
#pragma unroll
  for (int i = ROWS_HALO_STEPS; i < ROWS_HALO_STEPS + ROWS_RESULT_STEPS; i++) s_Data[threadIdx.y][threadIdx.x + i * ROWS_BLOCKDIM_X] = d_Src[i * ROWS_BLOCKDIM_X];
#pragma unroll
  for (int i = 0; i < ROWS_HALO_STEPS; i++) s_Data[threadIdx.y][threadIdx.x + i * ROWS_BLOCKDIM_X] = (baseX >= -i * ROWS_BLOCKDIM_X) ? d_Src[i * ROWS_BLOCKDIM_X] : 0;
  cg::sync(cta);
#pragma unroll
  for (int i = ROWS_HALO_STEPS; i < ROWS_HALO_STEPS + ROWS_RESULT_STEPS; i++) {
    float sum = 0;
#pragma unroll
    for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++) sum += c_Kernel[KERNEL_RADIUS - j] * s_Data[threadIdx.y][threadIdx.x + i * ROWS_BLOCKDIM_X + j];
    d_Dst[i * ROWS_BLOCKDIM_X] = sum;
  }
}
extern "C" void convolutionRowsGPU(float *d_Dst, float *d_Src, int imageW, int imageH) {
  assert(imageW % (ROWS_RESULT_STEPS * ROWS_BLOCKDIM_X) == 0);
  dim3 blocks(imageW / (ROWS_RESULT_STEPS * ROWS_BLOCKDIM_X), imageH / ROWS_BLOCKDIM_Y), threads(ROWS_BLOCKDIM_X, ROWS_BLOCKDIM_Y);
  convolutionRowsKernel<<<blocks, threads>>>(d_Dst, d_Src, imageW, imageH, imageW);
  getLastCudaError("convolutionRowsKernel() execution failed\n");
}
template <int i> __device__ float convolutionRow(float x, float y, cudaTextureObject_t texSrc) { return tex2D<float>(texSrc, x + (float)(KERNEL_RADIUS - i), y) * c_Kernel[i] + convolutionRow<i - 1>(x, y, texSrc); }
template <> __device__ float convolutionRow<-1>(float x, float y, cudaTextureObject_t texSrc) { return 0; }
#define UNROLL_INNER
#define IMAD(a, b, c) (__mul24((a), (b)) + (c))
__global__ void convolutionTextureRows(float *d_Dst, int imageW, int imageH, cudaTextureObject_t texSrc) {
  const int ix = IMAD(blockDim.x, blockIdx.x, threadIdx.x), iy = IMAD(blockDim.y, blockIdx.y, threadIdx.y);
  const float x = (float)ix + 0.5f, y = (float)iy + 0.5f;
  if (ix >= imageW || iy >= imageH) return;
  float sum = 0;
#if defined(UNROLL_INNER)
  sum = convolutionRow<2 * KERNEL_RADIUS>(x, y, texSrc);
#endif
  d_Dst[IMAD(iy, imageW, ix)] = sum;
}
//// convolutionFFT2D 2
typedef float2 fComplex;
#define USE_TEXTURE 0
#if (USE_TEXTURE)
texture<float, 1, cudaReadModeElementType> texFloat;
#define LOAD_FLOAT(i) tex1Dfetch(texFloat, i)
#define SET_FLOAT_BASE checkCudaErrors(cudaBindTexture(0, texFloat, d_Src))
#else
#define LOAD_FLOAT(i) d_Src[i]
#define SET_FLOAT_BASE
#endif
__global__ void padKernel_kernel(float *d_Dst, float *d_Src, int fftH, int fftW, int kernelH, int kernelW, int kernelY, int kernelX) {
  const int y = blockDim.y * blockIdx.y + threadIdx.y, x = blockDim.x * blockIdx.x + threadIdx.x;
  if (y < kernelH && x < kernelW) { int ky = y - kernelY; if (ky < 0) ky += fftH; int kx = x - kernelX; if (kx < 0) kx += fftW; d_Dst[ky * fftW + kx] = LOAD_FLOAT(y * kernelW + x); }
}
inline __device__ void mulAndScale(fComplex &a, const fComplex &b, const float &c) { fComplex t = { c *(a.x * b.x - a.y * b.y), c *(a.y * b.x + a.x * b.y) }; a = t; }
__global__ void modulateAndNormalize_kernel(fComplex *d_Dst, fComplex *d_Src, int dataSize, float c) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x; if (i >= dataSize) return;
  fComplex a = d_Src[i], b = d_Dst[i]; mulAndScale(a, b, c); d_Dst[i] = a;
}
//// dct8x8 2
#define BLOCK_SIZE 8
#define FMUL(x,y) (__mul24(x,y))
#define SIN_1_4 0x5A82
__constant__ short Q[] = { 32, 33, 51, 81, 66, 39, 34, 17 };
__constant__ float DCTv8matrix[] = { 0.35f, 0.49f, 0.46f, 0.41f, 0.35f, 0.27f, 0.19f, 0.09f };
__device__ __inline__ short unfixh(int x) { return (short)((x + 0x8000) >> 16); }
__device__ __inline__ int unfixo(int x) { return (x + 0x1000) >> 13; }
union PackedShorts { struct __align__(8) { short hShort1; short hShort2; }; unsigned int hInt; };
__device__ void CUDAshortInplaceDCT(short *SrcDst, int Stride) {
  int in0, in1; in0 = SrcDst[0]; in1 = *(SrcDst + 1 * Stride);
  SrcDst[0] = unfixh(FMUL(SIN_1_4, in0 + in1)); *(SrcDst + 1 * Stride) = unfixo(in0 - in1);
}
__device__ void CUDAshortInplaceDCT(unsigned int *V8) {
  PackedShorts sInOut0, sInOut1, tmp; sInOut0.hInt = V8[0]; sInOut1.hInt = V8[1];
  tmp.hShort1 = sInOut0.hShort1 + sInOut1.hShort2; tmp.hShort2 = unfixh(FMUL(sInOut1.hShort1, SIN_1_4)); V8[0] = tmp.hInt;
}
__global__ void CUDAkernelShortDCT(short *SrcDst, int ImgStride) {
  __shared__ short block[32 * 34];
  int OffsThreadInRow = FMUL(threadIdx.y, BLOCK_SIZE) + threadIdx.x, OffsThreadInCol = FMUL(threadIdx.z, BLOCK_SIZE);
  short *bl_ptr = block + OffsThreadInCol * 34 + OffsThreadInRow;
  SrcDst += FMUL(FMUL(blockIdx.y, 32) + OffsThreadInCol, ImgStride) + FMUL(blockIdx.x, 32) + OffsThreadInRow;
  for (int i = 0; i < 4; i++) ((int *)bl_ptr)[i * (34 / 2)] = ((int *)SrcDst)[i * (ImgStride / 2)];
  __syncthreads();
  CUDAshortInplaceDCT(block + threadIdx.x * 2, 34); CUDAshortInplaceDCT((unsigned int *)block);
  __syncthreads();
  for (int i = 0; i < 4; i++) ((int *)SrcDst)[i * (ImgStride / 2)] = ((int *)bl_ptr)[i * 17];
}
__global__ void CUDAkernelQuantizationShort(short *SrcDst, int Stride) {
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x & 7, ty = threadIdx.y & 7;
  short curCoef = SrcDst[(by * BLOCK_SIZE + ty) * Stride + (bx * BLOCK_SIZE + tx)], curQuant = Q[ty];
  if (curCoef < 0) { curCoef = -curCoef; curCoef += curQuant >> 1; curCoef /= curQuant; curCoef = -curCoef; } else { curCoef += curQuant >> 1; curCoef /= curQuant; }
  curCoef = curCoef * curQuant; SrcDst[(by * BLOCK_SIZE + ty) * Stride + (bx * BLOCK_SIZE + tx)] = curCoef + DCTv8matrix[tx];
}
//// eigenvalues 1
#define MAX_THREADS_BLOCK_SMALL_MATRIX 64
#define MIN_ABS_INTERVAL ((float)5.0e-37)
namespace cg = cooperative_groups;
#include <cooperative_groups.h>
__device__ inline int floorPow2(int n) { if (0 == (n & (n - 1))) return n; int exp; frexp((float)n, &exp); return (1 << (exp - 1)); }
__device__ inline int ceilPow2(int n) { if (0 == (n & (n - 1))) return n; int exp; frexp((float)n, &exp); return (1 << exp); }
__device__ inline float computeMidpoint(const float left, const float right) { float mid; if (sign_f(left) == sign_f(right)) { mid = left + (right - left) * 0.5f; } else { mid = (left + right) * 0.5f; } return mid; }
__device__ float sign_f(const float &val);
template <class T> __device__ T sign_t(const T &val) { return (val < 0.0f) ? -1 : 1; }
__device__ float sign_f(const float &val) { return sign_t(val); }
template <class S, class T> __device__ void storeInterval(unsigned int addr, float *s_left, float *s_right, T *s_left_count, T *s_right_count, float left, float right, S left_count, S right_count, float precision) {
  s_left_count[addr] = left_count; s_right_count[addr] = right_count;
  float t0 = abs(right - left), t1 = max(abs(left), abs(right)) * precision;
  if (t0 <= max((float)MIN_ABS_INTERVAL, t1)) { float lambda = computeMidpoint(left, right); s_left[addr] = lambda; s_right[addr] = lambda; } else { s_left[addr] = left; s_right[addr] = right; }
}
__global__ void bisectKernel(float *g_d, float *g_s, const unsigned int n, float *g_left, float *g_right, unsigned int *g_left_count, const float lg, const float ug, float epsilon) {
  cg::thread_block cta = cg::this_thread_block();
  __shared__ float s_left[MAX_THREADS_BLOCK_SMALL_MATRIX], s_right[MAX_THREADS_BLOCK_SMALL_MATRIX];
  __shared__ unsigned int s_left_count[MAX_THREADS_BLOCK_SMALL_MATRIX], s_right_count[MAX_THREADS_BLOCK_SMALL_MATRIX];
  const unsigned int tid = threadIdx.x & 63;
  unsigned int m = floorPow2(tid + 1) & 63, c = ceilPow2(tid + 1);
  storeInterval(tid, s_left, s_right, s_left_count, s_right_count, lg + g_d[tid], ug, 0, n, epsilon);
  cg::sync(cta);
  g_left[tid] = s_left[m]; g_right[tid] = s_right[tid]; g_left_count[tid] = s_left_count[m] + c;
}
//// fastWalshTransform 2
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define ELEMENTARY_LOG2SIZE 11
__global__ void fwtBatch1Kernel(float *d_Output, float *d_Input, int log2N) {
  cg::thread_block cta = cg::this_thread_block();
  const int N = 1 << log2N, base = blockIdx.x << log2N;
  extern __shared__ float s_data[];
  float *d_Src = d_Input + base, *d_Dst = d_Output + base;
  for (int pos = threadIdx.x; pos < N; pos += blockDim.x) s_data[pos] = d_Src[pos];
  const int pos = threadIdx.x;
  for (int stride = N >> 2; stride > 0; stride >>= 2) {
    int lo = pos & (stride - 1), i0 = ((pos - lo) << 2) + lo, i1 = i0 + stride;
    cg::sync(cta);
    float D0 = s_data[i0], D1 = s_data[i1], T;
    T = D0; D0 = D0 + D1; D1 = T - D1; s_data[i0] = D0; s_data[i1] = D1;
  }
  cg::sync(cta);
  for (int pos = threadIdx.x; pos < N; pos += blockDim.x) d_Dst[pos] = s_data[pos];
}
__global__ void modulateKernel(float *d_A, float *d_B, int N) { int tid = blockIdx.x * blockDim.x + threadIdx.x, numThreads = blockDim.x * gridDim.x; float rcpN = 1.0f / (float)N; for (int pos = tid; pos < N; pos += numThreads) d_A[pos] *= d_B[pos] * rcpN; }
void fwtBatchGPU(float *d_Data, int M, int log2N) {
  const int N = 1 << log2N; dim3 grid((1 << log2N) / (4 * 256), M, 1);
  fwtBatch1Kernel<<<M, N / 4, N * sizeof(float)>>>(d_Data, d_Data, log2N);
}
int main() { float *d; cudaMalloc(&d, 2048 * sizeof(float)); fwtBatchGPU(d, 2, 10); modulateKernel<<<128, 256>>>(d, d, 2048); }
//// fluidsGL 2
typedef float2 cData;
texture<float2, 2> texref;
#define TIDSX 64
__global__ void addForces_k(cData *v, int dx, int dy, int spx, int spy, float fx, float fy, int r, size_t pitch) {
  int tx = threadIdx.x, ty = threadIdx.y;
  cData *fj = (cData *)((char *)v + (ty + spy) * pitch) + tx + spx;
  cData vterm = *fj; tx -= r; ty -= r;
  float s = 1.f / (1.f + tx * tx * tx * tx + ty * ty * ty * ty);
  vterm.x += s * fx; vterm.y += s * fy; *fj = vterm;
}
__global__ void advectVelocity_k(cData *v, float *vx, float *vy, int dx, int pdx, int dy, float dt, int lb, cudaTextureObject_t texObject) {
  int gtidx = blockIdx.x * blockDim.x + threadIdx.x, gtidy = blockIdx.y * (lb * blockDim.y) + threadIdx.y * lb, p; cData vterm, ploc; float vxterm, vyterm;
  if (gtidx < dx) for (p = 0; p < lb; p++) {
    int fi = gtidy + p;
    if (fi < dy) { int fj = fi * pdx + gtidx; vterm = tex2D<cData>(texObject, (float)gtidx, (float)fi); ploc.x = (gtidx + 0.5f) - (dt * vterm.x * dx); ploc.y = (fi + 0.5f) - (dt * vterm.y * dy); vterm = tex2D<cData>(texObject, ploc.x, ploc.y); vxterm = vterm.x; vyterm = vterm.y; vx[fj] = vxterm; vy[fj] = vyterm; }
  }
}
//// FDTD3d 1
#define RADIUS 4
#define k_blockDimX 32
#define k_blockDimMaxY 16
__constant__ float stencil[RADIUS + 1];
__global__ void FiniteDifferencesKernel(float *output, const float *input, const int dimx, const int dimy, const int dimz) {
  bool validr = true, validw = true;
  const int gtidx = blockIdx.x * blockDim.x + threadIdx.x, gtidy = blockIdx.y * blockDim.y + threadIdx.y, ltidx = threadIdx.x, ltidy = threadIdx.y, workx = blockDim.x, worky = blockDim.y;
  namespace cg_dummy = std;
  __shared__ float tile[k_blockDimMaxY + 2 * RADIUS][k_blockDimX + 2 * RADIUS];
  const int stride_y = dimx + 2 * RADIUS, stride_z = stride_y * (dimy + 2 * RADIUS);
  int inputIndex = 0, outputIndex = 0;
  inputIndex += RADIUS * stride_y + RADIUS; inputIndex += gtidy * stride_y + gtidx;
  float infront[RADIUS], behind[RADIUS], current;
  const int tx = ltidx + RADIUS, ty = ltidy + RADIUS;
  if ((gtidx >= dimx + RADIUS) || (gtidy >= dimy + RADIUS)) validr = false;
  if ((gtidx >= dimx) || (gtidy >= dimy)) validw = false;
  for (int i = RADIUS - 2; i >= 0; i--) { if (validr) behind[i] = input[inputIndex]; inputIndex += stride_z; }
  if (validr) current = input[inputIndex];
  outputIndex = inputIndex; inputIndex += stride_z;
  for (int i = 0; i < RADIUS; i++) { if (validr) infront[i] = input[inputIndex]; inputIndex += stride_z; }
#pragma unroll 9
  for (int iz = 0; iz < dimz; iz++) {
    for (int i = RADIUS - 1; i > 0; i--) behind[i] = behind[i - 1];
    behind[0] = current; current = infront[0];
#pragma unroll 4
    for (int i = 0; i < RADIUS - 1; i++) infront[i] = infront[i + 1];
    if (validr) infront[RADIUS - 1] = input[inputIndex];
    inputIndex += stride_z; outputIndex += stride_z; __syncthreads();
    if (ltidy < RADIUS) { tile[ltidy][tx] = input[outputIndex - RADIUS * stride_y]; tile[ltidy + worky + RADIUS][tx] = input[outputIndex + worky * stride_y]; }
    tile[ty][tx] = current; __syncthreads();
    float value = stencil[0] * current;
#pragma unroll 4
    for (int i = 1; i <= RADIUS; i++) value += stencil[i] * (infront[i - 1] + behind[i - 1] + tile[ty - i][tx] + tile[ty + i][tx]);
    if (validw) output[outputIndex] = value;
  }
}
//// histogram 2
#define UMUL(a, b) ((a) * (b))
#define UMAD(a, b, c) (UMUL((a), (b)) + (c))
#define SHARED_MEMORY_BANKS 16
#define HISTOGRAM64_THREADBLOCK_SIZE (4 * SHARED_MEMORY_BANKS)
typedef unsigned int uint; typedef unsigned char uchar; typedef uint4 data_t;
#define HISTOGRAM64_BIN_COUNT 64
inline __device__ void addByte(uchar *s_ThreadBase, uint data) { s_ThreadBase[UMUL(data, HISTOGRAM64_THREADBLOCK_SIZE)]++; }
inline __device__ void addWord(uchar *s_ThreadBase, uint data) { addByte(s_ThreadBase, (data >> 2) & 0x3FU); addByte(s_ThreadBase, (data >> 10) & 0x3FU); addByte(s_ThreadBase, (data >> 26) & 0x3FU); }
__global__ void histogram64Kernel(uint *d_PartialHistograms, data_t *d_Data, uint dataCount) {
  const uint threadPos = ((threadIdx.x & ~(SHARED_MEMORY_BANKS * 4 - 1)) << 0) | ((threadIdx.x & (SHARED_MEMORY_BANKS - 1)) << 2) | ((threadIdx.x & (SHARED_MEMORY_BANKS * 3)) >> 4);
  __shared__ uchar s_Hist[HISTOGRAM64_THREADBLOCK_SIZE * HISTOGRAM64_BIN_COUNT];
  uchar *s_ThreadBase = s_Hist + threadPos;
#pragma unroll
  for (uint i = 0; i < (HISTOGRAM64_BIN_COUNT / 4); i++) ((uint *)s_Hist)[threadIdx.x + i * HISTOGRAM64_THREADBLOCK_SIZE] = 0;
  __syncthreads();
  for (uint pos = UMAD(blockIdx.x, blockDim.x, threadIdx.x); pos < dataCount; pos += UMUL(blockDim.x, gridDim.x)) { data_t data = d_Data[pos]; addWord(s_ThreadBase, data.x); addWord(s_ThreadBase, data.w); }
  __syncthreads();
  if (threadIdx.x < HISTOGRAM64_BIN_COUNT) {
    uchar *s_HistBase = s_Hist + UMUL(threadIdx.x, HISTOGRAM64_THREADBLOCK_SIZE); uint sum = 0, pos = 4 * (threadIdx.x & (SHARED_MEMORY_BANKS - 1));
    for (uint i = 0; i < (HISTOGRAM64_THREADBLOCK_SIZE / 4); i++) { sum += s_HistBase[pos + 0] + s_HistBase[pos + 1]; pos = (pos + 4) & (HISTOGRAM64_THREADBLOCK_SIZE - 1); }
    d_PartialHistograms[blockIdx.x * HISTOGRAM64_BIN_COUNT + threadIdx.x] = sum;
  }
}
#define MERGE_THREADBLOCK_SIZE 256
__global__ void mergeHistogram64Kernel(uint *d_Histogram, uint *d_PartialHistograms, uint histogramCount) {
  __shared__ uint data[MERGE_THREADBLOCK_SIZE]; uint sum = 0;
  for (uint i = threadIdx.x; i < histogramCount; i += MERGE_THREADBLOCK_SIZE) sum += d_PartialHistograms[blockIdx.x + i * HISTOGRAM64_BIN_COUNT];
  data[threadIdx.x] = sum;
  for (uint stride = MERGE_THREADBLOCK_SIZE / 2; stride > 0; stride >>= 1) { __syncthreads(); if (threadIdx.x < stride) data[threadIdx.x] += data[threadIdx.x + stride]; }
  if (threadIdx.x == 0) d_Histogram[blockIdx.x] = data[0];
}
//// imageDenoising 1
typedef unsigned int TColor;
#define NLM_WINDOW_RADIUS 3
#define NLM_WINDOW_AREA ((2 * NLM_WINDOW_RADIUS + 1) * (2 * NLM_WINDOW_RADIUS + 1))
#define INV_NLM_WINDOW_AREA (1.0f / (float)NLM_WINDOW_AREA)
cudaArray *a_Src;
const cudaChannelFormatDesc uchar4tex = cudaCreateChannelDesc<uchar4>();
__device__ float lerpf(float a, float b, float c) { return a + (b - a) * c; }
__device__ float vecLen(float4 a, float4 b) { return ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y) + (b.z - a.z) * (b.z - a.z)); }
__device__ TColor make_color(float r, float g, float b, float a) { return ((int)(a * 255.0f) << 24) | ((int)(b * 255.0f) << 16) | ((int)(g * 255.0f) << 8) | ((int)(r * 255.0f) << 0); }
__global__ void NLM(TColor *dst, int imageW, int imageH, float Noise, float lerpC, cudaTextureObject_t texImage) {
  const int ix = blockDim.x * blockIdx.x + threadIdx.x, iy = blockDim.y * blockIdx.y + threadIdx.y;
  const float x = (float)ix + 0.5f, y = (float)iy + 0.5f;
  if (ix < imageW && iy < imageH) {
    float fCount = 0, sumWeights = 0; float3 clr = {0, 0, 0};
    for (float i = -NLM_WINDOW_RADIUS; i <= NLM_WINDOW_RADIUS; i++) {
      float weightIJ = vecLen(tex2D<float4>(texImage, x + i, y), tex2D<float4>(texImage, x, y));
      weightIJ = __expf(-(weightIJ * Noise + (i * i) * INV_NLM_WINDOW_AREA));
      float4 clrIJ = tex2D<float4>(texImage, x + i, y);
      clr.x += clrIJ.x * weightIJ; sumWeights += weightIJ; fCount += (weightIJ > 0.1f) ? INV_NLM_WINDOW_AREA : 0;
    }
    sumWeights = 1.0f / sumWeights; clr.x *= sumWeights;
    dst[imageW * iy + ix] = make_color(lerpf(clr.x, fCount, lerpC), clr.y, clr.z, 0);
  }
}
//// interval 1
#include <vector>
#define IMPLEMENTATION 0
template <class T> struct rounded_arith {
  __device__ __forceinline__ T add_down(const T &x, const T &y); __device__ __forceinline__ T add_up(const T &x, const T &y);
  __device__ __forceinline__ T mul_down(const T &x, const T &y); __device__ __forceinline__ T median(const T &x, const T &y); __device__ __forceinline__ T nan();
};
template <> struct rounded_arith<double> {
  __device__ __forceinline__ double add_down(double x, double y) { return __dadd_rd(x, y); } __device__ __forceinline__ double add_up(double x, double y) { return __dadd_ru(x, y); }
  __device__ __forceinline__ double mul_down(double x, double y) { return __dmul_rd(x, y); } __device__ __forceinline__ double median(double x, double y) { return (x + y) * .5; } __device__ __forceinline__ double nan() { return ::nan(""); }
};
#if IMPLEMENTATION == 0
template <class T> class interval_gpu {
public:
  __device__ __host__ interval_gpu(); __device__ __host__ interval_gpu(T const &v); __device__ __host__ interval_gpu(T const &l, T const &u);
  __device__ __host__ T const &lower() const; __device__ __host__ T const &upper() const;
  static __device__ __host__ interval_gpu empty();
  friend __device__ interval_gpu<T> operator+<>(interval_gpu<T> const &, interval_gpu<T> const &);
private: T low; T up;
};
template <class T> inline __device__ __host__ interval_gpu<T>::interval_gpu() {}
template <class T> inline __device__ __host__ interval_gpu<T>::interval_gpu(T const &v) : low(v), up(v) {}
template <class T> inline __device__ __host__ interval_gpu<T>::interval_gpu(T const &l, T const &u) : low(l), up(u) {}
template <class T> inline __device__ __host__ T const &interval_gpu<T>::lower() const { return low; }
template <class T> inline __device__ __host__ T const &interval_gpu<T>::upper() const { return up; }
template <class T> inline __device__ __host__ interval_gpu<T> interval_gpu<T>::empty() { rounded_arith<T> rnd; return interval_gpu<T>(rnd.nan(), rnd.nan()); }
template <class T> inline __device__ __host__ bool empty(interval_gpu<T> x) { return x.lower() != x.lower(); }
template <class T> inline __device__ __host__ T width(interval_gpu<T> x) { return x.upper() - x.lower(); }
template <class T> inline __device__ interval_gpu<T> const &operator+(interval_gpu<T> const &x) { return x; }
template <class T> inline __device__ interval_gpu<T> operator-(interval_gpu<T> const &x) { return interval_gpu<T>(-x.upper(), -x.lower()); }
template <class T> inline __device__ interval_gpu<T> operator+(interval_gpu<T> const &x, interval_gpu<T> const &y) { rounded_arith<T> rnd; return interval_gpu<T>(rnd.add_down(x.lower(), y.lower()), rnd.add_up(x.upper(), y.upper())); }
template <class T> inline __device__ interval_gpu<T> operator*(interval_gpu<T> const &x, T y) { using std::max; using std::min; return x + interval_gpu<T>(min(x.lower() * y, x.upper() * y), max(x.lower() * y, x.upper() * y)); }
#endif
#define DEVICE 0
#define TYPE double
typedef interval_gpu<TYPE> I;
template <class T, int N, int THREADS> class global_stack {
private: T *buf; int sz;
public:
  __device__ global_stack(T *ptr) : buf(ptr), sz(0) {}
  __device__ void push(T const &v) { buf[THREADS * sz++] = v; }
  __device__ T pop() { return buf[THREADS * --sz]; }
  __device__ bool empty() const { return sz == 0; }
  __device__ bool full() const { return sz == N; }
};
template <class T> __device__ T f(T const &x, int thread_id) { typedef typename T::T2 dummy; return x; }
template <class T> class Unused { typedef T T2; };
__global__ void test_interval_newton(I *buffer, int *nresults, I i, int implementation_choice) {
  int thread_id = blockIdx.x * 64 + threadIdx.x;
  typedef global_stack<I, 16, 4096> stack_t;
  stack_t result(buffer + thread_id);
  I x = i; if (!empty(x) && width(x) >= 0) result.push(x + x * 2.0);
  if (!result.empty()) nresults[thread_id] = 1 + implementation_choice;
}
//// MersenneTwister 1
#define MT_RNG_COUNT 4096
#define MT_MM 9
#define MT_NN 19
#define MT_WMASK 0xFFFFFFFFU
#define MT_UMASK 0xFFFFFFFEU
#define MT_SHIFT0 12
typedef struct { unsigned int matrix_a, mask_b, mask_c, seed; } mt_struct_stripped;
__device__ static mt_struct_stripped ds_MT[MT_RNG_COUNT];
static mt_struct_stripped h_MT[MT_RNG_COUNT];
void loadMTGPU(const char *fname) { FILE *fd = fopen(fname, "rb"); if (!fd) { printf("initMTGPU(): failed to open %s\n", fname); exit(EXIT_FAILURE); } if (!fread(h_MT, sizeof(h_MT), 1, fd)) { exit(0); } fclose(fd); }
__global__ void RandomGPU(float *d_Random, int nPerRng) {
  const int tid = blockDim.x * blockIdx.x + threadIdx.x;
  int iState, iState1, iStateM, iOut; unsigned int mti, mti1, mtiM, x; unsigned int mt[MT_NN], matrix_a, mask_b, mask_c;
  matrix_a = ds_MT[tid].matrix_a; mask_b = ds_MT[tid].mask_b; mask_c = ds_MT[tid].mask_c;
  mt[0] = ds_MT[tid].seed;
  for (iState = 1; iState < MT_NN; iState++) mt[iState] = (1812433253U * (mt[iState - 1] ^ (mt[iState - 1] >> 30)) + iState) & MT_WMASK;
  iState = 0; mti1 = mt[0];
  for (iOut = 0; iOut < nPerRng; iOut++) {
    iState1 = iState + 1; iStateM = iState + MT_MM; if (iState1 >= MT_NN) iState1 -= MT_NN; if (iStateM >= MT_NN) iStateM -= MT_NN;
    mti = mti1; mti1 = mt[iState1]; mtiM = mt[iStateM];
    x = (mti & MT_UMASK) | (mti1 & 1U); x = mtiM ^ (x >> 1) ^ ((x & 1) ? matrix_a : 0); mt[iState] = x; iState = iState1;
    x ^= (x >> MT_SHIFT0); x ^= (x << 7) & mask_b; x ^= (x << 15) & mask_c;
    d_Random[tid + iOut * MT_RNG_COUNT] = ((float)x + 1.0f) / 4294967296.0f;
  }
}
//// MonteCarlo 2
#include <curand_kernel.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define MAX_OPTIONS 512
#define THREAD_N 256
typedef struct { float Expected; float Confidence; } TOptionValue;
typedef struct { float S, X, T, R, V; } TOptionData;
typedef struct { float S; float X; float MuByT; float VBySqrtT; } __TOptionData;
static __device__ __TOptionData d_OptionData[MAX_OPTIONS];
static __device__ __TOptionValue { int pad; };
struct __TOptionValue2 { float Expected, Confidence; };
static __device__ __TOptionValue2 d_CallValue[MAX_OPTIONS];
__device__ inline float endCallValue(float S, float X, float r, float MuByT, float VBySqrtT) { float callValue = S * __expf(MuByT + VBySqrtT * r) - X; return (callValue > 0.0F) ? callValue : 0.0F; }
template <class T, bool nIsPow2, unsigned int SUM_N> __device__ void sumReduce(T *sum, T *sum2, cg::thread_block &cta, cg::thread_block_tile<32> &tile32, __TOptionValue2 *d_CallValue) {
  const int VEC = 32, tid = cta.thread_rank(); T beta = sum[tid], beta2 = sum2[tid], temp, temp2;
  for (int i = VEC / 2; i > 0; i >>= 1) { if (tile32.thread_rank() < i) { temp = sum[tid + i]; temp2 = sum2[tid + i]; beta += temp; beta2 += temp2; sum[tid] = beta; sum2[tid] = beta2; } cg::sync(tile32); }
  cg::sync(cta);
  if (tid == 0) { beta = 0; beta2 = 0; for (int i = 0; i < blockDim.x; i += VEC) { beta += sum[i]; beta2 += sum2[i]; } __TOptionValue2 t = {beta, beta2}; *d_CallValue = t; }
  cg::sync(cta);
}
static __global__ void MonteCarloOneBlockPerOption(curandState *__restrict rngStates, const __TOptionData *__restrict d_OptionData, __TOptionValue2 *__restrict d_CallValue, int pathN, int optionN) {
  cg::thread_block cta = cg::this_thread_block(); cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
  const int SUM_N = THREAD_N; __shared__ float s_SumCall[SUM_N]; __shared__ float s_Sum2Call[SUM_N];
  int tid = blockIdx.x * blockDim.x + threadIdx.x; curandState localState = rngStates[tid];
  for (int optionIndex = blockIdx.x; optionIndex < optionN; optionIndex += gridDim.x) {
    const float S = d_OptionData[optionIndex].S, X = d_OptionData[optionIndex].X, MuByT = d_OptionData[optionIndex].MuByT;
    for (int iSum = threadIdx.x; iSum < SUM_N; iSum += blockDim.x) {
      __TOptionValue2 sumCall = {0, 0};
#pragma unroll 8
      for (int i = iSum; i < pathN; i += SUM_N) { float r = curand_normal(&localState), callValue = endCallValue(S, X, r, MuByT, 1); sumCall.Expected += callValue; sumCall.Confidence += callValue * callValue; }
      s_SumCall[iSum] = sumCall.Expected; s_Sum2Call[iSum] = sumCall.Confidence;
    }
    sumReduce<float, false, SUM_N>(s_SumCall, s_Sum2Call, cta, tile32, &d_CallValue[optionIndex]);
  }
}
static __global__ void rngSetupStates(curandState *rngState, int device_id) { int tid = threadIdx.x + blockIdx.x * blockDim.x; curand_init(blockIdx.x + gridDim.x * device_id, threadIdx.x, 0, &rngState[tid]); }
//// mergeSort 2
#define SHARED_SIZE_LIMIT 1024U
static inline __host__ __device__ uint iDivUp(uint a, uint b) { return ((a % b) == 0) ? (a / b) : (a / b + 1); }
static inline __device__ uint nextPowerOfTwo(uint x) { return 1U << (32 - __clz(x - 1)); }
template <uint sortDir> static inline __device__ uint binarySearchInclusive(uint val, uint *data, uint L, uint stride) {
  if (L == 0) { return 0; }
  uint pos = 0;
  for (; stride > 0; stride >>= 1) { uint newPos = umin(pos + stride, L); if ((sortDir && (data[newPos - 1] <= val)) || (!sortDir && (data[newPos - 1] >= val))) { pos = newPos; } }
  return pos;
}
template <uint sortDir> __global__ void mergeSortSharedKernel(uint *d_DstKey, uint *d_DstVal, uint *d_SrcKey, uint *d_SrcVal, uint arrayLength) {
  __shared__ uint s_key[SHARED_SIZE_LIMIT]; __shared__ uint s_val[SHARED_SIZE_LIMIT];
  d_SrcKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x; d_DstKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  s_key[threadIdx.x + 0] = d_SrcKey[0]; s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_SrcKey[(SHARED_SIZE_LIMIT / 2)];
  for (uint stride = 1; stride < arrayLength; stride <<= 1) {
    uint lPos = threadIdx.x & (stride - 1); uint *baseKey = s_key + 2 * (threadIdx.x - lPos);
    __syncthreads();
    uint keyA = baseKey[lPos + 0], keyB = baseKey[lPos + stride], posA = binarySearchInclusive<sortDir>(keyA, baseKey + stride, stride, stride) + lPos;
    __syncthreads(); baseKey[posA] = keyA; baseKey[lPos] = keyB;
  }
  __syncthreads(); d_DstKey[0] = s_key[threadIdx.x + 0];
}
template <uint sortDir> __global__ void generateSampleRanksKernel(uint *d_RanksA, uint *d_SrcKey, uint stride, uint N, uint threadCount) {
  uint pos = blockIdx.x * blockDim.x + threadIdx.x; if (pos >= threadCount) { return; }
  const uint i = pos & ((stride / 128) - 1), segmentBase = (pos - i) * (2 * 128); d_SrcKey += segmentBase; d_RanksA += segmentBase / 128;
  const uint segmentSamplesA = iDivUp(stride, 128);
  if (i < segmentSamplesA) { d_RanksA[i] = i * 128 + nextPowerOfTwo(stride) + d_SrcKey[0]; }
}
extern "C" uint mergeSortShared(uint *d_DstKey, uint *d_DstVal, uint *d_SrcKey, uint *d_SrcVal, uint batchSize, uint arrayLength, uint sortDir) {
  if (arrayLength < 2) return 0;
  uint blockCount = batchSize * arrayLength / SHARED_SIZE_LIMIT, threadCount = SHARED_SIZE_LIMIT / 2;
  if (sortDir) { mergeSortSharedKernel<1U><<<blockCount, threadCount>>>(d_DstKey, d_DstVal, d_SrcKey, d_SrcVal, arrayLength); } else { mergeSortSharedKernel<0U><<<blockCount, threadCount>>>(d_DstKey, d_DstVal, d_SrcKey, d_SrcVal, arrayLength); }
}
static void generateSampleRanks(uint *d_RanksA, uint *d_SrcKey, uint stride, uint N, uint sortDir) { uint threadCount = 256; generateSampleRanksKernel<1U><<<iDivUp(threadCount, 256), 256>>>(d_RanksA, d_SrcKey, stride, N, threadCount); }
//// nbody 0
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <typename T> struct vec3 { typedef float Type; }; template <> struct vec3<float> { typedef float3 Type; }; template <> struct vec3<double> { typedef double3 Type; };
template <typename T> struct vec4 { typedef float Type; }; template <> struct vec4<float> { typedef float4 Type; }; template <> struct vec4<double> { typedef double4 Type; };
__constant__ float softeningSquared; __constant__ double softeningSquared_fp64;
template <typename T> struct SharedMemory { __device__ inline operator T *() { extern __shared__ int __smem[]; return (T *)__smem; } __device__ inline operator const T *() const { extern __shared__ int __smem[]; return (T *)__smem; } };
template <typename T> __device__ T rsqrt_T(T x) { return rsqrt(x); }
template <> __device__ float rsqrt_T<float>(float x) { return rsqrtf(x); }
template <typename T> __device__ T getSofteningSquared() { return softeningSquared; }
template <> __device__ double getSofteningSquared<double>() { return softeningSquared_fp64; }
template <typename T> struct DeviceData { T *dPos[2]; T *dVel; cudaEvent_t event; unsigned int offset; unsigned int numBodies; };
template <typename T> __device__ typename vec3<T>::Type bodyBodyInteraction(typename vec3<T>::Type ai, typename vec4<T>::Type bi, typename vec4<T>::Type bj) {
  typename vec3<T>::Type r; r.x = bj.x - bi.x; r.y = bj.y - bi.y; r.z = bj.z - bi.z;
  T distSqr = r.x * r.x + r.y * r.y + r.z * r.z; distSqr += getSofteningSquared<T>();
  T invDist = rsqrt_T(distSqr), invDistCube = invDist * invDist * invDist, s = bj.w * invDistCube;
  ai.x += r.x * s; ai.y += r.y * s; ai.z += r.z * s; return ai;
}
template <typename T> __device__ typename vec3<T>::Type computeBodyAccel(typename vec4<T>::Type bodyPos, typename vec4<T>::Type *positions, int numTiles, cg::thread_block cta) {
  typename vec4<T>::Type *sharedPos = SharedMemory<typename vec4<T>::Type>();
  typename vec3<T>::Type acc = {0.0f, 0.0f, 0.0f};
  for (int tile = 0; tile < numTiles; tile++) {
    sharedPos[threadIdx.x] = positions[tile * blockDim.x + threadIdx.x];
    cg::sync(cta);
#pragma unroll 128
    for (unsigned int counter = 0; counter < blockDim.x; counter++) acc = bodyBodyInteraction<T>(acc, bodyPos, sharedPos[counter]);
    cg::sync(cta);
  }
  return acc;
}
template <typename T> __global__ void integrateBodies(typename vec4<T>::Type *__restrict__ newPos, typename vec4<T>::Type *__restrict__ oldPos, typename vec4<T>::Type *vel, unsigned int deviceOffset, unsigned int deviceNumBodies, float deltaTime, float damping, int numTiles) {
  cg::thread_block cta = cg::this_thread_block();
  int index = blockIdx.x * blockDim.x + threadIdx.x; if (index >= deviceNumBodies) { return; }
  typename vec4<T>::Type position = oldPos[deviceOffset + index];
  typename vec3<T>::Type accel = computeBodyAccel<T>(position, oldPos, numTiles, cta);
  typename vec4<T>::Type velocity = vel[deviceOffset + index];
  velocity.x += accel.x * deltaTime; velocity.x *= damping; position.x += velocity.x * deltaTime;
  newPos[deviceOffset + index] = position; vel[deviceOffset + index] = velocity;
}
template <typename T> void integrateNbodySystem(DeviceData<T> *deviceData, cudaGraphicsResource **pgres, unsigned int currentRead, float deltaTime, float damping, unsigned int numBodies, unsigned int numDevices, int blockSize, bool bUsePBO) {
  for (unsigned int dev = 0; dev != numDevices; dev++) {
    int numBlocks = (deviceData[dev].numBodies + blockSize - 1) / blockSize, numTiles = (numBodies + blockSize - 1) / blockSize, sharedMemSize = blockSize * 4 * sizeof(T);
    integrateBodies<T><<<numBlocks, blockSize, sharedMemSize>>>((typename vec4<T>::Type *)deviceData[dev].dPos[1 - currentRead], (typename vec4<T>::Type *)deviceData[dev].dPos[currentRead], (typename vec4<T>::Type *)deviceData[dev].dVel, deviceData[dev].offset, deviceData[dev].numBodies, deltaTime, damping, numTiles);
  }
}
template void integrateNbodySystem<float>(DeviceData<float> *deviceData, cudaGraphicsResource **pgres, unsigned int currentRead, float deltaTime, float damping, unsigned int numBodies, unsigned int numDevices, int blockSize, bool bUsePBO);
template void integrateNbodySystem<double>(DeviceData<double> *deviceData, cudaGraphicsResource **pgres, unsigned int currentRead, float deltaTime, float damping, unsigned int numBodies, unsigned int numDevices, int blockSize, bool bUsePBO);
//// newdelete 2
#include <new>
template <class T> class Container { public: __device__ Container() { ; } __device__ virtual ~Container() { ; } __device__ virtual void push(T e) = 0; __device__ virtual bool pop(T &e) = 0; };
template <class T> class Stack : public Container<T> {
public:
  __device__ Stack() : stack(NULL), capacity(0), top(-1) {}
  __device__ ~Stack() { if (stack) { delete[] stack; } }
  __device__ void push(T e) { stack[++top] = e; }
  __device__ bool pop(T &e) { if (top >= 0) { e = stack[top--]; return true; } return false; }
  T *stack; int capacity, top;
};
__global__ void simplePush(int *out) { int *p = new int[4]; p[0] = threadIdx.x; out[threadIdx.x] = p[0]; delete[] p; }
__global__ void placementNew(int *d_result) {
  __shared__ unsigned char buffer[1024];
  if (threadIdx.x == 0) d_result[0] = sizeof(Stack<int>);
  buffer[threadIdx.x] = 1; d_result[threadIdx.x] = buffer[threadIdx.x];
}
//// particles 2
#include <helper_math.h>
#include <thrust/tuple.h>
#include <thrust/for_each.h>
#include <thrust/iterator/zip_iterator.h>
#include "particles_kernel.cuh"
struct SimParams { float3 colliderPos; float colliderRadius; float3 gravity; float globalDamping; float particleRadius; uint3 gridSize; uint numCells; float3 worldOrigin; float3 cellSize; uint numBodies; float spring; float boundaryDamping; };
__constant__ SimParams params;
struct integrate_functor {
  float deltaTime; __host__ __device__ integrate_functor(float delta_time) : deltaTime(delta_time) {}
  template <typename Tuple> __device__ void operator()(Tuple t) {
    volatile float4 posData = thrust::get<0>(t); volatile float4 velData = thrust::get<1>(t);
    float3 pos = make_float3(posData.x, posData.y, posData.z), vel = make_float3(velData.x, velData.y, velData.z);
    vel += params.gravity * deltaTime; pos += vel * deltaTime;
    if (pos.x > 1.0f - params.particleRadius) { pos.x = 1.0f - params.particleRadius; vel.x *= params.boundaryDamping; }
    thrust::get<0>(t) = make_float4(pos, posData.w); thrust::get<1>(t) = make_float4(vel, velData.w);
  }
};
__device__ int3 calcGridPos(float3 p) { int3 gridPos; gridPos.x = floor((p.x - params.worldOrigin.x) / params.cellSize.x); gridPos.y = floor((p.y - params.worldOrigin.y) / params.cellSize.y); gridPos.z = floor(p.z); return gridPos; }
__device__ uint calcGridHash(int3 gridPos) { gridPos.x = gridPos.x & (params.gridSize.x - 1); return __umul24(__umul24(gridPos.z, params.gridSize.y), params.gridSize.x) + __umul24(gridPos.y, params.gridSize.x) + gridPos.x; }
__global__ void calcHashD(uint *gridParticleHash, uint *gridParticleIndex, float4 *pos, uint numParticles) {
  uint index = __umul24(blockIdx.x, blockDim.x) + threadIdx.x; if (index >= numParticles) return;
  volatile float4 p = pos[index]; int3 gridPos = calcGridPos(make_float3(p.x, p.y, p.z)); uint hash = calcGridHash(gridPos);
  gridParticleHash[index] = hash; gridParticleIndex[index] = index;
}
__device__ float3 collideSpheres(float3 posA, float3 posB, float3 velA, float3 velB, float radiusA, float radiusB, float attraction) {
  float3 relPos = posB - posA; float dist = length(relPos), collideDist = radiusA + radiusB; float3 force = make_float3(0.0f);
  if (dist < collideDist) { float3 norm = relPos / dist, relVel = velB - velA, tanVel = relVel - (dot(relVel, norm) * norm); force = -params.spring * (collideDist - dist) * norm; force += 0.5f * tanVel; }
  return force;
}
__global__ void collideD(float4 *newVel, float4 *oldPos, float4 *oldVel, uint *gridParticleIndex, uint numParticles) {
  uint index = __mul24(blockIdx.x, blockDim.x) + threadIdx.x; if (index >= numParticles) return;
  float3 pos = make_float3(oldPos[index]), vel = make_float3(oldVel[index]); float3 force = make_float3(0.0f);
  for (int z = -1; z <= 1; z++) force += collideSpheres(pos, params.colliderPos, vel, make_float3(0.0f, 0.0f, 0.0f), params.particleRadius, params.colliderRadius, 0.0f);
  uint originalIndex = gridParticleIndex[index]; newVel[originalIndex] = make_float4(vel + force, 0.0f);
}
//// quasirandomGenerator 2
#define QRNG_DIMENSIONS 3
#define QRNG_RESOLUTION 31
#define INT_SCALE (1.0f / (float)0x80000001U)
static __constant__ unsigned int c_Table[QRNG_DIMENSIONS][QRNG_RESOLUTION];
#define MUL(a, b) __umul24(a, b)
static __global__ void quasirandomGeneratorKernel(float *d_Output, unsigned int seed, unsigned int N) {
  unsigned int *dimBase = &c_Table[threadIdx.y][0], tid = MUL(blockDim.x, blockIdx.x) + threadIdx.x, threadN = MUL(blockDim.x, gridDim.x);
  for (unsigned int pos = tid; pos < N; pos += threadN) { unsigned int result = 0, data = seed + pos; for (int bit = 0; bit < QRNG_RESOLUTION; bit++, data >>= 1) if (data & 1) { result ^= dimBase[bit]; } d_Output[MUL(threadIdx.y, N) + pos] = (float)(result + 1) * INT_SCALE; }
}
__device__ inline float MoroInvCNDgpu(unsigned int x) { const float a1 = 2.50662823884f; float z; bool negate = false; if (x >= 0x80000000UL) { x = 0xffffffffUL - x; negate = true; } const float x1 = 1.0f / static_cast<float>(0xffffffffUL); z = __logf(-__logf(x * x1)) * a1; return negate ? -z : z; }
static __global__ void inverseCNDKernel(float *d_Output, unsigned int pathN) { unsigned int distance = ((unsigned int)-1) / (pathN + 1), tid = MUL(blockDim.x, blockIdx.x) + threadIdx.x, threadN = MUL(blockDim.x, gridDim.x); for (unsigned int pos = tid; pos < pathN; pos += threadN) { unsigned int d = (pos + 1) * distance; d_Output[pos] = (float)MoroInvCNDgpu(d); } }
extern "C" void quasirandomGeneratorGPU(float *d_Output, unsigned int seed, unsigned int N) { dim3 threads(128, QRNG_DIMENSIONS); quasirandomGeneratorKernel<<<128, threads>>>(d_Output, seed, N); }
//// recursiveGaussian 2
#include <helper_math.h>
#define BLOCK_DIM 16
#define CLAMP_TO_EDGE 1
__global__ void d_transpose(uint *odata, uint *idata, int width, int height) {
  __shared__ uint block[BLOCK_DIM][BLOCK_DIM + 1]; unsigned int xIndex = blockIdx.x * BLOCK_DIM + threadIdx.x, yIndex = blockIdx.y * BLOCK_DIM + threadIdx.y;
  if ((xIndex < width) && (yIndex < height)) block[threadIdx.y][threadIdx.x] = idata[yIndex * width + xIndex];
  __syncthreads(); xIndex = blockIdx.y * BLOCK_DIM + threadIdx.x; yIndex = blockIdx.x * BLOCK_DIM + threadIdx.y;
  if ((xIndex < height) && (yIndex < width)) odata[yIndex * height + xIndex] = block[threadIdx.x][threadIdx.y];
}
__device__ float4 rgbaIntToFloat(uint c) { float4 rgba; rgba.x = (c & 0xff) / 255.0f; rgba.y = ((c >> 8) & 0xff) / 255.0f; rgba.z = 0; rgba.w = 1; return rgba; }
__global__ void d_recursiveGaussian_rgba(uint *id, uint *od, int w, int h, float a0, float a1, float b1, float coefp) {
  int x = blockIdx.x * blockDim.x + threadIdx.x; if (x >= w) return;
  id += x; od += x; float4 xp = make_float4(0.0f), yp = make_float4(0.0f), yb = make_float4(0.0f);
#if CLAMP_TO_EDGE
  xp = rgbaIntToFloat(*id); yb = coefp * xp; yp = yb;
#endif
  for (int y = 0; y < h; y++) { float4 xc = rgbaIntToFloat(*id), yc = a0 * xc + a1 * xp - b1 * yp - b1 * yb; *od = (uint)yc.x; id += w; od += w; xp = xc; yb = yp; yp = yc; }
}
