//// reduction 3
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
template <class T> struct SharedMemory { __device__ inline operator T *() { extern __shared__ int __smem[]; return (T *)__smem; } __device__ inline operator const T *() const { extern __shared__ int __smem[]; return (T *)__smem; } };
template <> struct SharedMemory<double> { __device__ inline operator double *() { extern __shared__ double __smem_d[]; return (double *)__smem_d; } __device__ inline operator const double *() const { extern __shared__ double __smem_d[]; return (double *)__smem_d; } };
template <class T> __device__ __forceinline__ T warpReduceSum(unsigned int mask, T mySum) { for (int offset = warpSize / 2; offset > 0; offset /= 2) { mySum += __shfl_down_sync(mask, mySum, offset); } return mySum; }
#if __CUDA_ARCH__ >= 800
template <> __device__ __forceinline__ int warpReduceSum<int>(unsigned int mask, int mySum) { mySum = __reduce_add_sync(mask, mySum); return mySum; }
#endif
template <class T> __global__ void reduce0(T *g_idata, T *g_odata, unsigned int n) {
  cg::thread_block cta = cg::this_thread_block(); T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < n) ? g_idata[i] : 0; cg::sync(cta);
  for (unsigned int s = 1; s < blockDim.x; s *= 2) { if ((tid % (2 * s)) == 0) sdata[tid] += sdata[tid + s]; cg::sync(cta); }
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}
template <class T, unsigned int blockSize, bool nIsPow2> __global__ void reduce6(T *g_idata, T *g_odata, unsigned int n) {
  cg::thread_block cta = cg::this_thread_block(); T *sdata = SharedMemory<T>(); unsigned int tid = threadIdx.x, gridSize = blockSize * gridDim.x; T mySum = 0;
  if (nIsPow2) { unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x; gridSize = gridSize << 1; while (i < n) { mySum += g_idata[i]; if ((i + blockSize) < n) mySum += g_idata[i + blockSize]; i += gridSize; } }
  else { unsigned int i = blockIdx.x * blockSize + threadIdx.x; while (i < n) { mySum += g_idata[i]; i += gridSize; } }
  sdata[tid] = mySum; cg::sync(cta);
  if ((blockSize >= 512) && (tid < 256)) { sdata[tid] = mySum = mySum + sdata[tid + 256]; } cg::sync(cta);
  cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
  if (cta.thread_rank() < 32) { if (blockSize >= 64) mySum += sdata[tid + 32]; for (int offset = tile32.size() / 2; offset > 0; offset /= 2) { mySum += tile32.shfl_down(mySum, offset); } }
  if (cta.thread_rank() == 0) g_odata[blockIdx.x] = mySum;
}
template <typename T, unsigned int blockSize, bool nIsPow2> __global__ void reduce7(const T *__restrict__ g_idata, T *__restrict__ g_odata, unsigned int n) {
  T *sdata = SharedMemory<T>(); unsigned int tid = threadIdx.x, gridSize = blockSize * gridDim.x, maskLength = (blockSize & 31); maskLength = (maskLength > 0) ? (32 - maskLength) : maskLength;
  const unsigned int mask = (0xffffffff) >> maskLength; T mySum = 0; unsigned int i = blockIdx.x * blockSize + threadIdx.x; while (i < n) { mySum += g_idata[i]; i += gridSize; }
  mySum = warpReduceSum<T>(mask, mySum); if ((tid % warpSize) == 0) sdata[tid / warpSize] = mySum; __syncthreads();
  const unsigned int shmem_extent = (blockSize / warpSize) > 0 ? (blockSize / warpSize) : 1; const unsigned int ballot_result = __ballot_sync(mask, tid < shmem_extent);
  if (tid < shmem_extent) { mySum = sdata[tid]; mySum = warpReduceSum<T>(ballot_result, mySum); }
  if (tid == 0) g_odata[blockIdx.x] = mySum;
}
extern "C" bool isPow2(unsigned int x);
template <class T> void reduce(int size, int threads, int blocks, int whichKernel, T *d_idata, T *d_odata) {
  dim3 dimBlock(threads, 1, 1), dimGrid(blocks, 1, 1); int smemSize = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
  switch (whichKernel) {
    case 0: reduce0<T><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
    case 6: if (isPow2(size)) { switch (threads) { case 512: reduce6<T, 512, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break; case 256: reduce6<T, 256, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break; } } break;
    case 7: reduce7<T, 256, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
  }
}
template void reduce<int>(int size, int threads, int blocks, int whichKernel, int *d_idata, int *d_odata);
//// reductionMultiBlockCG 1
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__device__ void reduceBlock(double *sdata, const cg::thread_block &cta) {
  const unsigned int tid = cta.thread_rank(); cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
  sdata[tid] = cg::reduce(tile32, sdata[tid], cg::plus<double>()); cg::sync(cta);
  double beta = 0.0;
  if (cta.thread_rank() == 0) { beta = 0; for (int i = 0; i < blockDim.x; i += tile32.size()) beta += sdata[i]; sdata[0] = beta; }
  cg::sync(cta);
}
extern "C" __global__ void reduceSinglePassMultiBlockCG(const float *g_idata, float *g_odata, unsigned int n) {
  cg::thread_block block = cg::this_thread_block(); cg::grid_group grid = cg::this_grid();
  extern double __shared__ sdata[];
  sdata[block.thread_rank()] = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sdata[block.thread_rank()] += g_idata[i];
  cg::sync(block); reduceBlock(sdata, block);
  if (block.thread_rank() == 0) g_odata[blockIdx.x] = sdata[0];
  cg::sync(grid);
  if (grid.thread_rank() == 0) for (int block = 1; block < gridDim.x; block++) g_odata[0] += g_odata[block];
}
void call_reduceSinglePassMultiBlockCG(int size, int threads, int numBlocks, float *d_idata, float *d_odata) {
  int smemSize = threads * sizeof(double); void *kernelArgs[] = { (void *)&d_idata, (void *)&d_odata, (void *)&size, };
  dim3 dimBlock(threads, 1, 1), dimGrid(numBlocks, 1, 1);
  cudaLaunchCooperativeKernel((void *)reduceSinglePassMultiBlockCG, dimGrid, dimBlock, kernelArgs, smemSize, NULL);
}
//// conjugateGradientMultiBlockCG 1
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ double grid_dot_result = 0.0;
__device__ void gpuSpMV(int *I, int *J, float *val, int nnz, int num_rows, float alpha, float *inputVecX, float *outputVecY, cg::thread_block &cta, const cg::grid_group &grid) {
  for (int i = grid.thread_rank(); i < num_rows; i += grid.size()) { int row_elem = I[i], next_row_elem = I[i + 1], n = next_row_elem - row_elem; float output = 0.0; for (int j = 0; j < n; j++) output += alpha * val[row_elem + j] * inputVecX[J[row_elem + j]]; outputVecY[i] = output; }
}
__device__ void gpuDotProduct(float *vecA, float *vecB, double *result, int size, const cg::thread_block &cta, const cg::grid_group &grid) {
  extern __shared__ double tmp[]; double temp_sum = 0.0;
  for (int i = grid.thread_rank(); i < size; i += grid.size()) temp_sum += static_cast<double>(vecA[i] * vecB[i]);
  cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
  for (int i = 16; i > 0; i /= 2) temp_sum += tile32.shfl_xor(temp_sum, i);
  if (tile32.thread_rank() == 0) tmp[tile32.meta_group_rank()] = temp_sum;
  cg::sync(cta);
  if (tile32.meta_group_rank() == 0) { temp_sum = tile32.thread_rank() < tile32.meta_group_size() ? tmp[tile32.thread_rank()] : 0.0; if (tile32.thread_rank() == 0) atomicAdd(result, temp_sum); }
}
extern "C" __global__ void gpuConjugateGradient(int *I, int *J, float *val, float *x, float *Ax, float *p, float *r, double *dot_result, int nnz, int N, float tol) {
  cg::thread_block cta = cg::this_thread_block(); cg::grid_group grid = cg::this_grid(); int max_iter = 3; float r1;
  gpuSpMV(I, J, val, nnz, N, 1.0, x, Ax, cta, grid); cg::sync(grid);
  gpuDotProduct(r, r, dot_result, N, cta, grid); cg::sync(grid);
  r1 = *dot_result; int k = 1;
  while (r1 > tol * tol && k <= max_iter) { gpuSpMV(I, J, val, nnz, N, 1.0, p, Ax, cta, grid); if (threadIdx.x == 0 && blockIdx.x == 0) *dot_result = 0.0; cg::sync(grid); r1 = *dot_result; k++; }
}
//// scalarProd 1
#define IMUL(a, b) __mul24(a, b)
#define ACCUM_N 1024
__global__ void scalarProdGPU(float *d_C, float *d_A, float *d_B, int vectorN, int elementN) {
  __shared__ float accumResult[ACCUM_N];
  for (int vec = blockIdx.x; vec < vectorN; vec += gridDim.x) {
    int vectorBase = IMUL(elementN, vec), vectorEnd = vectorBase + elementN;
    for (int iAccum = threadIdx.x; iAccum < ACCUM_N; iAccum += blockDim.x) { float sum = 0; for (int pos = vectorBase + iAccum; pos < vectorEnd; pos += ACCUM_N) sum += d_A[pos] * d_B[pos]; accumResult[iAccum] = sum; }
    for (int stride = ACCUM_N / 2; stride > 0; stride >>= 1) { __syncthreads(); for (int iAccum = threadIdx.x; iAccum < stride; iAccum += blockDim.x) accumResult[iAccum] += accumResult[stride + iAccum]; }
    __syncthreads(); if (threadIdx.x == 0) d_C[vec] = accumResult[0];
  }
}
//// scan 2
#define THREADBLOCK_SIZE 256
inline __device__ uint scan1Inclusive(uint idata, volatile uint *s_Data, uint size) {
  uint pos = 2 * threadIdx.x - (threadIdx.x & (size - 1)); s_Data[pos] = 0; pos += size; s_Data[pos] = idata;
  for (uint offset = 1; offset < size; offset <<= 1) { __syncthreads(); uint t = s_Data[pos] + s_Data[pos - offset]; __syncthreads(); s_Data[pos] = t; }
  return s_Data[pos];
}
inline __device__ uint4 scan4Exclusive(uint4 idata4, volatile uint *s_Data, uint size) { idata4.y += idata4.x; idata4.z += idata4.y; idata4.w += idata4.z; uint oval = scan1Inclusive(idata4.w, s_Data, size / 4) - idata4.w; idata4.x += oval; idata4.y += oval; return idata4; }
__global__ void scanExclusiveShared(uint4 *d_Dst, uint4 *d_Src, uint size) { __shared__ uint s_Data[2 * THREADBLOCK_SIZE]; uint pos = blockIdx.x * blockDim.x + threadIdx.x; uint4 idata4 = d_Src[pos]; uint4 odata4 = scan4Exclusive(idata4, s_Data, size); d_Dst[pos] = odata4; }
__global__ void uniformUpdate(uint4 *d_Data, uint *d_Buffer) { __shared__ uint buf; uint pos = blockIdx.x * blockDim.x + threadIdx.x; if (threadIdx.x == 0) { buf = d_Buffer[blockIdx.x]; } __syncthreads(); uint4 data4 = d_Data[pos]; data4.x += buf; data4.y += buf; d_Data[pos] = data4; }
extern "C" size_t scanExclusiveShort(uint *d_Dst, uint *d_Src, uint batchSize, uint arrayLength) { scanExclusiveShared<<<(batchSize * arrayLength) / (4 * THREADBLOCK_SIZE), THREADBLOCK_SIZE>>>((uint4 *)d_Dst, (uint4 *)d_Src, arrayLength); return THREADBLOCK_SIZE; }
//// segmentationTree 2
#include <thrust/tuple.h>
#include <thrust/host_vector.h>
typedef unsigned int uint;
typedef thrust::host_vector<uint> UintHostVec;
struct Edge { uint v; float w; Edge(uint v, float w) : v(v), w(w) {} };
template <typename T> class DeviceMemoryPool;
template <typename T> class FastDeviceVector { T *base; size_t n; public: FastDeviceVector(size_t s) : n(s) { cudaMalloc(&base, s); } ~FastDeviceVector() { cudaFree(base); } };
__device__ float3 rgbToHsv(uchar3 p);
template <typename OutputType> __global__ void addScalar(OutputType *array, OutputType scalar, uint size) { uint tid = blockIdx.x * blockDim.x + threadIdx.x; if (tid < size) array[tid] += scalar; }
template <typename OutputType, typename InputType, typename Op> __global__ void calculateEdgesInfo(const uint *startpoints, const OutputType *verticesMapping, const InputType *edges, uint edgesCount, uint *result, Op op) { uint tid = blockIdx.x * blockDim.x + threadIdx.x; if (tid < edgesCount) { result[tid] = op(edges[verticesMapping[startpoints[tid]]]); } }
struct Neg { template <class T> __device__ T operator()(T a) const { return -a; } };
template __global__ void addScalar<float>(float *, float, uint);
template __global__ void calculateEdgesInfo<uint, float, Neg>(const uint *, const uint *, const float *, uint, uint *, Neg);
//// shfl_scan 2
__global__ void shfl_scan_test(int *data, int width, int *partial_sums = NULL) {
  extern __shared__ int sums[]; int id = ((blockIdx.x * blockDim.x) + threadIdx.x), lane_id = id % warpSize, warp_id = threadIdx.x / warpSize; int value = data[id];
#pragma unroll
  for (int i = 1; i <= width; i *= 2) { unsigned int mask = 0xffffffff; int n = __shfl_up_sync(mask, value, i, width); if (lane_id >= i) value += n; }
  if (threadIdx.x % warpSize == warpSize - 1) { sums[warp_id] = value; }
  __syncthreads();
  if (warp_id == 0 && lane_id < (blockDim.x / warpSize)) { int warp_sum = sums[lane_id]; int mask = (1 << (blockDim.x / warpSize)) - 1; for (int i = 1; i <= (blockDim.x / warpSize); i *= 2) { int n = __shfl_up_sync(mask, warp_sum, i, (blockDim.x / warpSize)); if (lane_id >= i) warp_sum += n; } sums[lane_id] = warp_sum; }
  __syncthreads(); int blockSum = 0; if (warp_id > 0) { blockSum = sums[warp_id - 1]; } value += blockSum; data[id] = value;
  if (partial_sums != NULL && threadIdx.x == blockDim.x - 1) { partial_sums[blockIdx.x] = value; }
}
__device__ __inline__ uint4 qsad(unsigned a, unsigned b) { uint4 r; r.x = r.y = r.z = r.w = __vsadu4(a, b); return r; }
__global__ void shfl_intimage_rows(uint4 *img, uint4 *integral_image) {
  __shared__ int sums[128]; int id = threadIdx.x; unsigned int *uimg = (unsigned int *)img; unsigned int result[16]; int sum; unsigned int lane_id = id % warpSize; uint4 data = img[blockIdx.x * blockDim.x + id];
  result[0] = data.x & 0x000000ff; result[1] = result[0] + ((data.x & 0x0000ff00) >> 8); result[15] = result[1] + qsad(data.y, uimg[0]).x;
  sum = result[15];
#pragma unroll
  for (int i = 1; i <= 16; i *= 2) { int n = __shfl_up_sync(0xffffffff, sum, i, 32); if (lane_id >= i) { result[0] += n; sum += n; } }
  if (threadIdx.x % warpSize == warpSize - 1) sums[threadIdx.x / warpSize] = result[15];
  __syncthreads(); uint4 output; output.x = result[0]; output.y = result[1]; output.z = sums[0]; output.w = sum; integral_image[blockIdx.x * blockDim.x + id] = output;
}
//// SobelFilter 2
typedef unsigned char Pixel;
#define RADIUS 1
#ifdef FIXED_BLOCKWIDTH
#define BlockWidth 80
#define SharedPitch 384
#endif
extern __shared__ unsigned char LocalBlock[];
__device__ unsigned char ComputeSobel(unsigned char ul, unsigned char um, unsigned char ur, unsigned char ll, float fScale) { short Horz = ur + 2 * um - ul - 2 * ll; short Sum = (short)(fScale * (abs((int)Horz) + abs((int)um))); if (Sum < 0) return 0; else if (Sum > 0xff) return 0xff; return (unsigned char)Sum; }
__global__ void SobelShared(uchar4 *pSobelOriginal, unsigned short SobelPitch,
#ifndef FIXED_BLOCKWIDTH
  short BlockWidth, short SharedPitch,
#endif
  short w, short h, float fScale, cudaTextureObject_t tex) {
  short u = 4 * blockIdx.x * BlockWidth, v = blockIdx.y * blockDim.y + threadIdx.y, ib; int SharedIdx = threadIdx.y * SharedPitch;
  for (ib = threadIdx.x; ib < BlockWidth + 2 * RADIUS; ib += blockDim.x) { LocalBlock[SharedIdx + 4 * ib + 0] = tex2D<unsigned char>(tex, (float)(u + 4 * ib - RADIUS + 0), (float)(v - RADIUS)); LocalBlock[SharedIdx + 4 * ib + 1] = tex2D<unsigned char>(tex, (float)(u + 4 * ib - RADIUS + 1), (float)(v - RADIUS)); }
  __syncthreads();
  u >>= 2; uchar4 *pSobel = (uchar4 *)(((char *)pSobelOriginal) + v * SobelPitch); SharedIdx = threadIdx.y * SharedPitch;
  for (ib = threadIdx.x; ib < BlockWidth; ib += blockDim.x) { uchar4 out; out.x = ComputeSobel(LocalBlock[SharedIdx + 4 * ib], 1, 2, 3, fScale); if (u + ib < w / 4 && v < h) { pSobel[u + ib] = out; } }
  __syncthreads();
}
__global__ void SobelCopyImage(Pixel *pSobelOriginal, unsigned int Pitch, int w, int h, float fscale, cudaTextureObject_t tex) { unsigned char *pSobel = (unsigned char *)(((char *)pSobelOriginal) + blockIdx.x * Pitch); for (int i = threadIdx.x; i < w; i += blockDim.x) pSobel[i] = min(max((tex2D<unsigned char>(tex, (float)i, (float)blockIdx.x) * fscale), 0.f), 255.f); }
//// SobolQRNG 1
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define k_2powneg32 2.3283064E-10F
#define n_directions 32
__global__ void sobolGPU_kernel(unsigned n_vectors, unsigned n_dimensions, unsigned *d_directions, float *d_output) {
  cg::thread_block cta = cg::this_thread_block(); __shared__ unsigned int v[n_directions];
  d_directions = d_directions + n_directions * blockIdx.y; d_output = d_output + n_vectors * blockIdx.y;
  if (threadIdx.x < n_directions) { v[threadIdx.x] = d_directions[threadIdx.x]; } cg::sync(cta);
  int i0 = threadIdx.x + blockIdx.x * blockDim.x, stride = gridDim.x * blockDim.x; unsigned int g = i0 ^ (i0 >> 1), X = 0, mask;
  for (unsigned int k = 0; k < __ffs(stride) - 1; k++) { mask = -(g & 1); X ^= mask & v[k]; g = g >> 1; }
  if (i0 < n_vectors) { d_output[i0] = (float)X * k_2powneg32; }
  unsigned int v_log2stridem1 = v[__ffs(stride) - 2], v_stridemask = stride - 1;
  for (unsigned int i = i0 + stride; i < n_vectors; i += stride) { X ^= v_log2stridem1 ^ v[__ffs(~((i - stride) | v_stridemask)) - 1]; d_output[i] = (float)X * k_2powneg32; }
}
//// sortingNetworks 2
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define SHARED_SIZE_LIMIT 1024U
__device__ inline void Comparator(uint &keyA, uint &valA, uint &keyB, uint &valB, uint dir) { uint t; if ((keyA > keyB) == dir) { t = keyA; keyA = keyB; keyB = t; t = valA; valA = valB; valB = t; } }
__global__ void bitonicSortShared(uint *d_DstKey, uint *d_DstVal, uint *d_SrcKey, uint *d_SrcVal, uint arrayLength, uint dir) {
  cg::thread_block cta = cg::this_thread_block(); __shared__ uint s_key[SHARED_SIZE_LIMIT], s_val[SHARED_SIZE_LIMIT];
  d_SrcKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x; d_SrcVal += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x; d_DstKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  s_key[threadIdx.x + 0] = d_SrcKey[0]; s_val[threadIdx.x + 0] = d_SrcVal[0]; s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_SrcKey[(SHARED_SIZE_LIMIT / 2)];
  for (uint size = 2; size < arrayLength; size <<= 1) { uint ddd = dir ^ ((threadIdx.x & (size / 2)) != 0); for (uint stride = size / 2; stride > 0; stride >>= 1) { cg::sync(cta); uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1)); Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride], s_val[pos + stride], ddd); } }
  cg::sync(cta); d_DstKey[0] = s_key[threadIdx.x + 0];
}
__global__ void oddEvenMergeGlobal(uint *d_DstKey, uint *d_SrcKey, uint arrayLength, uint size, uint stride, uint dir) { uint global_comparatorI = blockIdx.x * blockDim.x + threadIdx.x, pos = 2 * global_comparatorI - (global_comparatorI & (stride - 1)); if (stride < size / 2) { uint offset = global_comparatorI & ((size / 2) - 1); if (offset >= stride) { uint keyA = d_SrcKey[pos - stride]; d_DstKey[pos - stride] = keyA; } } else { uint keyA = d_SrcKey[pos + 0], keyB = d_SrcKey[pos + stride]; d_DstKey[pos] = keyB; d_DstKey[pos + stride] = keyA; } }
//// stereoDisparity 1
#define blockSize_x 32
#define blockSize_y 8
#define RAD 8
#define STEPS 3
__device__ unsigned int __usad4(unsigned int A, unsigned int B, unsigned int C = 0) {
  unsigned int result;
#if (__CUDA_ARCH__ >= 300)
  asm("vabsdiff4.u32.u32.u32.add" " %0, %1, %2, %3;" : "=r"(result) : "r"(A), "r"(B), "r"(C));
#else
  asm("vabsdiff.u32.u32.u32.add" " %0, %1.b0, %2.b0, %3;" : "=r"(result) : "r"(A), "r"(B), "r"(C));
#endif
  return result;
}
__global__ void stereoDisparityKernel(unsigned int *g_img0, unsigned int *g_img1, unsigned int *g_odata, int w, int h, int minDisparity, int maxDisparity, cudaTextureObject_t tex2Dleft, cudaTextureObject_t tex2Dright) {
  const int tidx = blockDim.x * blockIdx.x + threadIdx.x, tidy = blockDim.y * blockIdx.y + threadIdx.y; const unsigned int sidx = threadIdx.x + RAD, sidy = threadIdx.y + RAD;
  unsigned int imLeft, imRight, cost, bestCost = 9999999, bestDisparity = 0; __shared__ unsigned int diff[blockSize_y + 2 * RAD][blockSize_x + 2 * RAD]; unsigned int imLeftA[STEPS], imLeftB[STEPS];
  for (int i = 0; i < STEPS; i++) { int offset = -RAD + i * RAD; imLeftA[i] = tex2D<unsigned int>(tex2Dleft, tidx - RAD, tidy + offset); imLeftB[i] = tex2D<unsigned int>(tex2Dleft, tidx - RAD + blockSize_x, tidy + offset); }
  for (int d = minDisparity; d <= maxDisparity; d++) {
#pragma unroll
    for (int i = 0; i < STEPS; i++) { int offset = -RAD + i * RAD; imLeft = imLeftA[i]; imRight = tex2D<unsigned int>(tex2Dright, tidx - RAD + d, tidy + offset); cost = __usad4(imLeft, imRight); diff[sidy + offset][sidx - RAD] = cost; }
    __syncthreads(); cost = 0;
    for (int i = -RAD; i <= RAD; i++) cost += diff[sidy + i][sidx - RAD];
    if (cost < bestCost) { bestCost = cost; bestDisparity = d + 8; }
    __syncthreads();
  }
  if (tidy < h && tidx < w) g_odata[tidy * w + tidx] = bestDisparity + imLeftB[0];
}
//// threadFenceReduction 1
__device__ unsigned int retirementCount = 0;
template <unsigned int blockSize> __device__ void reduceBlock(volatile float *sdata, float mySum, const unsigned int tid) { sdata[tid] = mySum; __syncthreads(); if (blockSize >= 512) { if (tid < 256) { sdata[tid] = mySum = mySum + sdata[tid + 256]; } __syncthreads(); } }
template <unsigned int blockSize, bool nIsPow2> __device__ void reduceBlocks(const float *g_idata, float *g_odata, unsigned int n) { extern __shared__ float sdata[]; unsigned int tid = threadIdx.x, i = blockIdx.x * (blockSize * 2) + threadIdx.x, gridSize = blockSize * 2 * gridDim.x; float mySum = 0; while (i < n) { mySum += g_idata[i]; if (nIsPow2 || i + blockSize < n) mySum += g_idata[i + blockSize]; i += gridSize; } reduceBlock<blockSize>(sdata, mySum, tid); if (tid == 0) g_odata[blockIdx.x] = sdata[0]; }
template <unsigned int blockSize, bool nIsPow2> __global__ void reduceSinglePass(const float *g_idata, float *g_odata, unsigned int n) {
  reduceBlocks<blockSize, nIsPow2>(g_idata, g_odata, n);
  if (gridDim.x > 1) { const unsigned int tid = threadIdx.x; __shared__ bool amLast; extern float __shared__ smem[]; __threadfence(); if (tid == 0) { unsigned int ticket = atomicInc(&retirementCount, gridDim.x); amLast = (ticket == gridDim.x - 1); } __syncthreads();
    if (amLast) { int i = tid; float mySum = 0; while (i < gridDim.x) { mySum += g_odata[i]; i += blockSize; } reduceBlock<blockSize>(smem, mySum, tid); if (tid == 0) { g_odata[0] = smem[0]; retirementCount = 0; } } }
}
extern "C" void reduceSinglePass_host(int size, int threads, int blocks, float *d_idata, float *d_odata) { dim3 dimBlock(threads, 1, 1), dimGrid(blocks, 1, 1); int smemSize = threads * sizeof(float); if (!(size & (size - 1))) { switch (threads) { case 512: reduceSinglePass<512, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break; case 128: reduceSinglePass<128, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break; } } }
//// transpose 2
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define TILE_DIM 16
#define BLOCK_ROWS 16
#define FLOOR(a, b) (a - (a % b))
int MATRIX_SIZE_X = 1024;
__global__ void transposeNoBankConflicts(float *odata, float *idata, int width, int height) {
  cg::thread_block cta = cg::this_thread_block(); __shared__ float tile[TILE_DIM][TILE_DIM + 1]; int xIndex = blockIdx.x * TILE_DIM + threadIdx.x, yIndex = blockIdx.y * TILE_DIM + threadIdx.y, index_in = xIndex + (yIndex)*width;
  xIndex = blockIdx.y * TILE_DIM + threadIdx.x; yIndex = blockIdx.x * TILE_DIM + threadIdx.y; int index_out = xIndex + (yIndex)*height;
  for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS) tile[threadIdx.y + i][threadIdx.x] = idata[index_in + i * width];
  cg::sync(cta); for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS) odata[index_out + i * height] = tile[threadIdx.x][threadIdx.y + i];
}
__global__ void transposeDiagonal(float *odata, float *idata, int width, int height) { int blockIdx_x, blockIdx_y; if (width == height) { blockIdx_y = blockIdx.x; blockIdx_x = (blockIdx.x + blockIdx.y) % gridDim.x; } else { int bid = blockIdx.x + gridDim.x * blockIdx.y; blockIdx_y = bid % gridDim.y; blockIdx_x = ((bid / gridDim.y) + blockIdx_y) % gridDim.x; } odata[blockIdx_x * 16 + threadIdx.x] = idata[blockIdx_y * 16 + threadIdx.x]; }
int main(int argc, char **argv) {
  int size_x = 1024, size_y = 1024; void (*kernel)(float *, float *, int, int); const char *kernelName; dim3 grid(size_x / TILE_DIM, size_y / TILE_DIM), threads(TILE_DIM, BLOCK_ROWS); float *d_idata, *d_odata; size_t mem_size = static_cast<size_t>(sizeof(float) * size_x * size_y);
  cudaMalloc((void **)&d_idata, mem_size); cudaMalloc((void **)&d_odata, mem_size);
  for (int k = 0; k < 8; k++) { switch (k) { case 0: kernel = &transposeNoBankConflicts; kernelName = "coalesced"; break; case 7: kernel = &transposeDiagonal; break; } kernel<<<grid, threads>>>(d_odata, d_idata, size_x, size_y); }
}
//// volumeRender 1
#include <helper_math.h>
typedef unsigned char VolumeType; typedef struct { float4 m[3]; } float3x4;
__constant__ float3x4 c_invViewMatrix;
struct Ray { float3 o; float3 d; };
__device__ int intersectBox(Ray r, float3 boxmin, float3 boxmax, float *tnear, float *tfar) { float3 invR = make_float3(1.0f) / r.d, tbot = invR * (boxmin - r.o), ttop = invR * (boxmax - r.o), tmin = fminf(ttop, tbot), tmax = fmaxf(ttop, tbot); float largest_tmin = fmaxf(fmaxf(tmin.x, tmin.y), fmaxf(tmin.x, tmin.z)), smallest_tmax = fminf(fminf(tmax.x, tmax.y), fminf(tmax.x, tmax.z)); *tnear = largest_tmin; *tfar = smallest_tmax; return smallest_tmax > largest_tmin; }
__device__ float3 mul(const float3x4 &M, const float3 &v) { float3 r; r.x = dot(v, make_float3(M.m[0])); r.y = dot(v, make_float3(M.m[1])); r.z = dot(v, make_float3(M.m[2])); return r; }
__device__ uint rgbaFloatToInt(float4 rgba) { rgba.x = __saturatef(rgba.x); return (uint(rgba.w * 255) << 24) | uint(rgba.x * 255); }
__global__ void d_render(uint *d_output, uint imageW, uint imageH, float density, float brightness, float transferOffset, float transferScale, cudaTextureObject_t tex, cudaTextureObject_t transferTex) {
  const int maxSteps = 20; const float tstep = 0.1f, opacityThreshold = 0.95f; const float3 boxMin = make_float3(-1.0f, -1.0f, -1.0f), boxMax = make_float3(1.0f, 1.0f, 1.0f);
  uint x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if ((x >= imageW) || (y >= imageH)) return;
  float u = (x / (float)imageW) * 2.0f - 1.0f, v = (y / (float)imageH) * 2.0f - 1.0f; Ray eyeRay; eyeRay.o = make_float3(c_invViewMatrix.m[0].w, 0, 0); eyeRay.d = normalize(make_float3(u, v, -2.0f)); eyeRay.d = mul(c_invViewMatrix, eyeRay.d);
  float tnear, tfar; int hit = intersectBox(eyeRay, boxMin, boxMax, &tnear, &tfar); if (!hit) { d_output[y * imageW + x] = 0; return; }
  if (tnear < 0.0f) tnear = 0.0f; float4 sum = make_float4(0.0f); float t = tnear; float3 pos = eyeRay.o + eyeRay.d * tnear, step = eyeRay.d * tstep;
  for (int i = 0; i < maxSteps; i++) { float sample = tex3D<float>(tex, pos.x * 0.5f + 0.5f, pos.y * 0.5f + 0.5f, pos.z * 0.5f + 0.5f); float4 col = tex1D<float4>(transferTex, (sample - transferOffset) * transferScale); col.w *= density; col.x *= col.w; sum = sum + col * (1.0f - sum.w); if (sum.w > opacityThreshold) break; t += tstep; if (t > tfar) break; pos += step; }
  sum *= brightness; d_output[y * imageW + x] = rgbaFloatToInt(sum);
}
//// cudaTensorCoreGemm 2
#include <mma.h>
#include <cuda.h>
#define M 16
#define N 16
#define K 16
#define WMMA_M 16
#define WMMA_N 16
#define WMMA_K 16
#define BLOCK_ROW_TILES 8
#define SKEW_HALF 16
#define checkKernelErrors(expr) do { expr; cudaError_t __err = cudaGetLastError(); if (__err != cudaSuccess) { printf("Line %d: '%s' failed: %s\n", __LINE__, #expr, cudaGetErrorString(__err)); abort(); } } while (0)
using namespace nvcuda;
__global__ void compute_gemm(const half *A, const half *B, const float *C, float *D, float alpha, float beta) {
  extern __shared__ half shmem[][64 + SKEW_HALF];
  const unsigned int warpId = threadIdx.x / 32, laneId = threadIdx.x % 32; float *shmem_warp_tile_ptr = (float *)&shmem[0][0] + (warpId / 2) * 64;
  wmma::fragment<wmma::accumulator, M, N, K, float> c[2][2];
  for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) { const float *tile_ptr = C + i * 16 * 64 + j * N; wmma::load_matrix_sync(c[i][j], tile_ptr, 64, wmma::mem_row_major); }
  for (int i = 0; i < 2; i++) { for (int j = 0; j < 2; j++) {
#pragma unroll
    for (int t = 0; t < c[i][j].num_elements; t++) c[i][j].x[t] *= beta; } }
  for (int i = threadIdx.x; i < 32 * 8; i += blockDim.x) *((int4 *)&shmem[i / 8][0] + (laneId % 8)) = *((int4 *)(A + i * 8));
  __syncthreads();
  wmma::fragment<wmma::matrix_a, M, N, K, half, wmma::row_major> a[2]; wmma::fragment<wmma::matrix_b, M, N, K, half, wmma::col_major> b[2];
  for (int i = 0; i < 2; i++) { const half *tile_ptr = &shmem[i * 16][0]; wmma::load_matrix_sync(a[i], tile_ptr, 64 + SKEW_HALF); for (int j = 0; j < 2; j++) { if (i == 0) wmma::load_matrix_sync(b[j], B + j * 16 * 64, 64); wmma::mma_sync(c[i][j], a[i], b[j], c[i][j]); } }
  for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) wmma::store_matrix_sync(D + i * 16 * 64 + j * 16, c[i][j], 64, wmma::mem_row_major);
}
__global__ void simple_wmma_gemm(half *a, half *b, float *c, float *d, int m_ld, int n_ld, int k_ld, float alpha, float beta) {
  int lda = k_ld, ldb = k_ld, ldc = n_ld, warpM = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, warpN = (blockIdx.y * blockDim.y + threadIdx.y);
  wmma::fragment<wmma::matrix_a, WMMA_M, WMMA_N, WMMA_K, half, wmma::row_major> a_frag; wmma::fragment<wmma::matrix_b, WMMA_M, WMMA_N, WMMA_K, half, wmma::col_major> b_frag; wmma::fragment<wmma::accumulator, WMMA_M, WMMA_N, WMMA_K, float> acc_frag, c_frag;
  wmma::fill_fragment(acc_frag, 0.0f);
  for (int i = 0; i < k_ld; i += WMMA_K) { int aCol = i, aRow = warpM * WMMA_M, bCol = warpN * N, bRow = i; if (aRow < m_ld && aCol < k_ld && bRow < k_ld && bCol < n_ld) { wmma::load_matrix_sync(a_frag, a + aCol + aRow * lda, lda); wmma::load_matrix_sync(b_frag, b + bRow + bCol * ldb, ldb); wmma::mma_sync(acc_frag, a_frag, b_frag, acc_frag); } }
  int cCol = warpN * WMMA_N, cRow = warpM * WMMA_M;
  if (cRow < m_ld && cCol < n_ld) { wmma::load_matrix_sync(c_frag, c + cCol + cRow * ldc, ldc, wmma::mem_row_major); for (int i = 0; i < c_frag.num_elements; i++) { c_frag.x[i] = alpha * acc_frag.x[i] + beta * c_frag.x[i]; } wmma::store_matrix_sync(d + cCol + cRow * ldc, c_frag, ldc, wmma::mem_row_major); }
}
int main() { half *a, *b; float *c, *d; cudaMalloc(&a, 64*64*sizeof(half)); cudaMalloc(&b, 64*64*sizeof(half)); cudaMalloc(&c, 64*64*4); cudaMalloc(&d, 64*64*4); dim3 gridDim, blockDim; blockDim.x = 128; blockDim.y = 4; gridDim.x = (64 + (WMMA_M * blockDim.x / 32 - 1)) / (WMMA_M * blockDim.x / 32); gridDim.y = (64 + WMMA_N * blockDim.y - 1) / (WMMA_N * blockDim.y);
  simple_wmma_gemm<<<gridDim, blockDim>>>(a, b, c, d, 64, 64, 64, 1.1f, 1.2f); checkKernelErrors((compute_gemm<<<1, 64, 65536>>>(a, b, c, d, 1.0f, 2.0f))); }
//// immaTensorCoreGemm 3
#include <mma.h>
#include <cuda_bf16.h>
using namespace nvcuda; using namespace nvcuda::wmma;
__global__ void simple_wmma_gemm_imma(const uint8_t *a, const uint8_t *b, const int *c, int *d, int ld, int alpha, int beta) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, uint8_t, wmma::row_major> a_frag; wmma::fragment<wmma::matrix_b, 16, 16, 16, uint8_t, wmma::col_major> b_frag; wmma::fragment<wmma::accumulator, 16, 16, 16, int> acc_frag;
  wmma::fill_fragment(acc_frag, 0); wmma::load_matrix_sync(a_frag, a, ld); wmma::load_matrix_sync(b_frag, b, ld); wmma::mma_sync(acc_frag, a_frag, b_frag, acc_frag); wmma::store_matrix_sync(d, acc_frag, ld, wmma::mem_row_major);
}
__global__ void simple_dmma(double *a, double *b, double *c, double *d, int ld) {
  fragment<matrix_a, 8, 8, 4, double, row_major> fa; fragment<matrix_b, 8, 8, 4, double, col_major> fb; fragment<accumulator, 8, 8, 4, double> fc;
  load_matrix_sync(fa, a, ld); load_matrix_sync(fb, b, ld); load_matrix_sync(fc, c, ld, mem_row_major); mma_sync(fc, fa, fb, fc); store_matrix_sync(d, fc, ld, mem_row_major);
}
__global__ void simple_tf32(float *a, float *b, float *d, int ld) {
  fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> fa; fragment<matrix_b, 16, 16, 8, wmma::precision::tf32, col_major> fb; fragment<accumulator, 16, 16, 8, float> fc; fill_fragment(fc, 0.0f);
  load_matrix_sync(fa, a, ld); load_matrix_sync(fb, b, ld); for (int t = 0; t < fa.num_elements; t++) fa.x[t] = wmma::__float_to_tf32(fa.x[t]); mma_sync(fc, fa, fb, fc); store_matrix_sync(d, fc, ld, mem_row_major);
}
int main() { uint8_t *a8; int *c32; double *f; float *g; cudaMalloc(&a8, 1024); cudaMalloc(&c32, 4096); cudaMalloc(&f, 8192); cudaMalloc(&g, 4096); simple_wmma_gemm_imma<<<1, 32>>>(a8, a8, c32, c32, 16, 1, 1); simple_dmma<<<1, 32>>>(f, f, f, f, 16); simple_tf32<<<1, 32>>>(g, g, g, 16); }
//// globalToShmemAsyncCopy 3
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
#pragma diag_suppress static_var_with_dynamic_init
template <int BLOCK_SIZE> __global__ void MatrixMulAsyncCopyMultiStageLargeChunk(float *__restrict__ C, const float *__restrict__ A, const float *__restrict__ B, int wA, int wB) {
  constexpr size_t maxPipelineStages = 4; __shared__ alignas(alignof(float4)) float As[maxPipelineStages][BLOCK_SIZE][BLOCK_SIZE]; __shared__ alignas(alignof(float4)) float Bs[maxPipelineStages][BLOCK_SIZE][BLOCK_SIZE];
  float Csub = 0.0; const int aBegin = wA * (BLOCK_SIZE) * blockIdx.y, aEnd = aBegin + wA - 1, aStep = BLOCK_SIZE, bBegin = BLOCK_SIZE * blockIdx.x, bStep = BLOCK_SIZE * wB;
  const int t4x = threadIdx.x * 4; const auto shape4 = cuda::aligned_size_t<alignof(float4)>(sizeof(float4)); cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  for (int a = aBegin, b = bBegin, i = 0, aStage = aBegin, bStage = bBegin, iStage = 0; a <= aEnd; a += aStep, b += bStep, ++i) {
    for (; aStage <= a + aStep * (int)maxPipelineStages; aStage += aStep, bStage += bStep, ++iStage) {
      pipe.producer_acquire();
      if (aStage <= aEnd && t4x < BLOCK_SIZE) { const int j = iStage % maxPipelineStages; cuda::memcpy_async(&As[j][threadIdx.y][t4x], &A[aStage + wA * threadIdx.y + t4x], shape4, pipe); cuda::memcpy_async(&Bs[j][threadIdx.y][t4x], &B[aStage + wA * threadIdx.y + t4x], shape4, pipe); }
      pipe.producer_commit();
    }
    pipe.consumer_wait(); __syncthreads();
    const int j = i % maxPipelineStages;
#pragma unroll
    for (int k = 0; k < BLOCK_SIZE; ++k) { Csub += As[j][threadIdx.y][k] * Bs[j][k][threadIdx.x]; }
    pipe.consumer_release();
  }
  C[wB * BLOCK_SIZE * blockIdx.y + BLOCK_SIZE * blockIdx.x + wB * threadIdx.y + threadIdx.x] = Csub;
}
template <int BLOCK_SIZE> __global__ void MatrixMulAsyncCopySingleStage(float *C, const float *A, const float *B, int wA, int wB) {
  __shared__ float As[BLOCK_SIZE][BLOCK_SIZE]; __shared__ cuda::barrier<cuda::thread_scope_block> bar; cg::thread_block cta = cg::this_thread_block();
  if (cta.thread_rank() == 0) init(&bar, cta.size()); cta.sync();
  cuda::memcpy_async(&As[threadIdx.y][threadIdx.x], &A[wA * threadIdx.y + threadIdx.x], sizeof(float), bar);
  bar.arrive_and_wait();
  C[wB * threadIdx.y + threadIdx.x] = As[threadIdx.x][threadIdx.y];
}
__global__ void cgcopy(float *C, const float *A, int n) {
  extern __shared__ float s[]; auto block = cg::this_thread_block(); cg::memcpy_async(block, s, A + blockIdx.x * blockDim.x, sizeof(float) * block.size()); cg::wait(block);
  C[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}
int main() { float *a, *b, *c; cudaMalloc(&a, 64*64*4); cudaMalloc(&b, 64*64*4); cudaMalloc(&c, 64*64*4); dim3 t(16, 16), g(4, 4); MatrixMulAsyncCopyMultiStageLargeChunk<16><<<g, t>>>(c, a, b, 64, 64); MatrixMulAsyncCopySingleStage<16><<<1, t>>>(c, a, b, 64, 64); cgcopy<<<4, 128, 512>>>(c, a, 512); }
//// binaryPartitionCG 1
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void oddEvenCountAndSumCG(int *inputArr, int *numOfOdds, int *sumOfOddAndEvens, unsigned int size) {
  cg::thread_block cta = cg::this_thread_block(); cg::grid_group grid = cg::this_grid(); cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
  for (int i = grid.thread_rank(); i < size; i += grid.size()) { int elem = inputArr[i]; auto subTile = cg::binary_partition(tile32, elem & 1); if (elem & 1) { int oddGroupSum = cg::reduce(subTile, elem, cg::plus<int>()); if (subTile.thread_rank() == 0) { atomicAdd(numOfOdds, subTile.size()); atomicAdd(&sumOfOddAndEvens[0], oddGroupSum); } } else { int evenGroupSum = cg::reduce(subTile, elem, cg::plus<int>()); if (subTile.thread_rank() == 0) { atomicAdd(&sumOfOddAndEvens[1], evenGroupSum); } } cg::sync(tile32); }
}
//// simpleCooperativeGroups 1
#include <cooperative_groups.h>
using namespace cooperative_groups;
__device__ int sumReduction(thread_group g, int *x, int val) { int lane = g.thread_rank(); for (int i = g.size() / 2; i > 0; i /= 2) { x[lane] = val; g.sync(); if (lane < i) { val += x[lane + i]; } g.sync(); } if (g.thread_rank() == 0) { return val; } else { return -1; } }
__global__ void cgkernel() {
  thread_block threadBlockGroup = this_thread_block(); int threadBlockGroupSize = threadBlockGroup.size(); extern __shared__ int workspace[]; int input, output, expectedOutput; input = threadBlockGroup.thread_rank(); expectedOutput = (threadBlockGroupSize - 1) * threadBlockGroupSize / 2;
  output = sumReduction(threadBlockGroup, workspace, input); if (threadBlockGroup.thread_rank() == 0) { printf(" Sum of all ranks 0..%d in threadBlockGroup is %d (expected %d)\n\n", (int)threadBlockGroup.size() - 1, output, expectedOutput); } threadBlockGroup.sync();
  thread_block_tile<16> tiledPartition16 = tiled_partition<16>(threadBlockGroup); int workspaceOffset = threadBlockGroup.thread_rank() - tiledPartition16.thread_rank(); input = tiledPartition16.thread_rank(); output = sumReduction(tiledPartition16, workspace + workspaceOffset, input); if (tiledPartition16.thread_rank() == 0) printf("   %d\n", output); return;
}
int main() { int blocksPerGrid = 1, threadsPerBlock = 64; cgkernel<<<blocksPerGrid, threadsPerBlock, threadsPerBlock * sizeof(int)>>>(); cudaError_t err = cudaDeviceSynchronize(); }
//// FunctionPointers 1
typedef unsigned char (*blockFunction_t)(unsigned char, unsigned char, unsigned char, unsigned char, unsigned char, float);
typedef unsigned char (*pointFunction_t)(unsigned char, float);
__device__ unsigned char ComputeSobel(unsigned char ul, unsigned char um, unsigned char ur, unsigned char ml, unsigned char mm, float fScale) { short Horz = ur + 2 * um - ul; return (unsigned char)(Horz * fScale); }
__device__ blockFunction_t pComputeSobel = ComputeSobel;
__device__ unsigned char ComputeBox(unsigned char ul, unsigned char um, unsigned char ur, unsigned char ml, unsigned char mm, float fscale) { short Sum = (short)(ul + um + ur) / 9; Sum *= fscale; return (unsigned char)((Sum < 0) ? 0 : ((Sum > 255) ? 255 : Sum)); }
__device__ unsigned char Threshold(unsigned char in, float thresh) { if (in > thresh) { return 0xFF; } else { return 0; } }
__device__ blockFunction_t blockFunction_table[4]; __device__ pointFunction_t pointFunction_table[2];
__global__ void SobelTexTable(unsigned char *out, const unsigned char *in, int w, float s, int op) { int i = threadIdx.x; out[blockIdx.x * w + i] = (*(blockFunction_table[op]))(in[i], 1, 2, 3, 4, s); }
__global__ void direct(unsigned char *out, const unsigned char *in, float s) { pointFunction_t f = Threshold; blockFunction_t g = &ComputeBox; out[threadIdx.x] = f(in[threadIdx.x], s) + (*g)(1, 2, 3, 4, 5, s); }
//// cdpQuadtree 1 refused: dynamic parallelism
#include <thrust/random.h>
struct Parameters { int point_selector; const int max_depth; __host__ __device__ Parameters(int d) : max_depth(d) {} };
__global__ void build_quadtree_kernel(int *nodes, Parameters params, int depth) { nodes[threadIdx.x] = depth; if (threadIdx.x == 0 && depth < params.max_depth) { build_quadtree_kernel<<<4, 32, 0>>>(&nodes[4], Parameters(1), depth + 1); } }
__global__ void other(int *a) { a[threadIdx.x] = 1; }
//// simpleAssert 1
#undef assert
#include <cassert>
__global__ void testKernel(int N, int *out) { int gtid = blockIdx.x * blockDim.x + threadIdx.x; assert(gtid < N); out[gtid] = gtid; }
int main() { dim3 dimGrid(2), dimBlock(32); int *o; cudaMalloc(&o, 256); testKernel<<<dimGrid, dimBlock>>>(64, o); }
//// inlinePTX 1
__global__ void sequence_gpu(int *d_ptr, int length) { int elemID = blockIdx.x * blockDim.x + threadIdx.x; if (elemID < length) { unsigned int laneid; asm("mov.u32 %0, %%laneid;" : "=r"(laneid)); d_ptr[elemID] = laneid; } }
//// simpleVoteIntrinsics 3
__global__ void VoteAnyKernel1(unsigned int *input, unsigned int *result, int size) { int tx = threadIdx.x; int mask = 0xffffffff; result[tx] = __any_sync(mask, input[tx]); }
__global__ void VoteAllKernel2(unsigned int *input, unsigned int *result, int size) { int tx = threadIdx.x; result[tx] = __all_sync(0xffffffff, input[tx]); }
__global__ void VoteAnyKernel3(bool *info, int warp_size) { int tx = threadIdx.x; unsigned int mask = 0xffffffff; bool *offs = info + (tx * 3); *offs = __any_sync(mask, (tx >= (warp_size * 3) / 2)); *(offs + 1) = (tx >= (warp_size * 3) / 2 ? true : false); if (__all_sync(mask, (tx >= 4) ? true : false)) { *(offs + 2) = true; } }
//// fp16ScalarProduct 2
#include "cuda_fp16.h"
#include <ctime>
__forceinline__ __device__ void reduceInShared_intrinsics(half2 *const v) { if (threadIdx.x < 64) v[threadIdx.x] = __hadd2(v[threadIdx.x], v[threadIdx.x + 64]); __syncthreads(); for (int i = 32; i > 0; i /= 2) { if (threadIdx.x < 32) v[threadIdx.x] = __hadd2(v[threadIdx.x], v[threadIdx.x + i]); __syncthreads(); } }
__forceinline__ __device__ void reduceInShared_native(half2 *const v) { if (threadIdx.x < 64) v[threadIdx.x] = v[threadIdx.x] + v[threadIdx.x + 64]; __syncthreads(); }
__global__ void scalarProductKernel_intrinsics(half2 const *const a, half2 const *const b, float *const results, size_t const size) { const int stride = gridDim.x * blockDim.x; __shared__ half2 shArray[128]; shArray[threadIdx.x] = __float2half2_rn(0.f); half2 value = __float2half2_rn(0.f); for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < size; i += stride) { value = __hfma2(a[i], b[i], value); } shArray[threadIdx.x] = value; __syncthreads(); reduceInShared_intrinsics(shArray); if (threadIdx.x == 0) { half2 result = shArray[0]; float f_result = __low2float(result) + __high2float(result); results[blockIdx.x] = f_result; } }
__global__ void scalarProductKernel_native(half2 const *const a, half2 const *const b, float *const results, size_t const size) { __shared__ half2 shArray[128]; half2 value(0.f, 0.f); shArray[threadIdx.x] = value; for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < size; i += gridDim.x * blockDim.x) value = a[i] * b[i] + value; shArray[threadIdx.x] = value; __syncthreads(); reduceInShared_native(shArray); if (threadIdx.x == 0) results[blockIdx.x] = (float)shArray[0].x + (float)shArray[0].y; }
//// simpleAttributes 1
__global__ void kCacheSegmentTest(int *data, int dataSize, int *trash, int hitRatio, unsigned int salt) {
  unsigned int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x; int tid = (row * (blockDim.x * gridDim.x)) + col; int stepSize = 7, trashIndex = col;
  for (int iter = 0; iter < 3; iter++) { int i = tid % 8; while (i < hitRatio) { data[i] = data[i] + trash[trashIndex]; i += stepSize; } }
}
//// simpleTemplates 1
#include "sharedmem.cuh"
template <class T> __global__ void testKernel(T *g_idata, T *g_odata) { SharedMemory<T> smem; T *sdata = smem.getPointer(); const unsigned int tid = threadIdx.x, num_threads = blockDim.x; sdata[tid] = g_idata[tid]; __syncthreads(); sdata[tid] = (T)num_threads * sdata[tid]; __syncthreads(); g_odata[tid] = sdata[tid]; }
template <typename T> struct SharedMemory { __device__ T *getPointer() { extern __device__ void error(void); error(); return NULL; } };
template <> struct SharedMemory<int> { __device__ int *getPointer() { extern __shared__ int s_int[]; return s_int; } };
template <> struct SharedMemory<float> { __device__ float *getPointer() { extern __shared__ float s_float[]; return s_float; } };
template <class T, class S> class ArrayComparator { public: bool compare(const T *reference, T *data, unsigned int len) { fprintf(stderr, "Error: no comparison function implemented for this type\n"); return false; } };
template <class T> void runTest(int argc, char **argv, int len) { unsigned int num_threads = len; unsigned int mem_size = sizeof(float) * num_threads; T *d_idata, *d_odata; cudaMalloc((void **)&d_idata, mem_size); cudaMalloc((void **)&d_odata, mem_size); dim3 grid(1, 1, 1), threads(num_threads, 1, 1); testKernel<T><<<grid, threads, mem_size>>>(d_idata, d_odata); }
int main(int argc, char **argv) { runTest<float>(argc, argv, 32); runTest<int>(argc, argv, 64); }
//// concurrentKernels 2
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void clock_block(clock_t *d_o, clock_t clock_count) { unsigned int start_clock = (unsigned int)clock(); clock_t clock_offset = 0; while (clock_offset < 100) { unsigned int end_clock = (unsigned int)clock(); clock_offset = (clock_t)(end_clock - start_clock); } d_o[0] = clock_offset; }
__global__ void sum(clock_t *d_clocks, int N) { cg::thread_block cta = cg::this_thread_block(); __shared__ clock_t s_clocks[32]; clock_t my_sum = 0; for (int i = threadIdx.x; i < N; i += blockDim.x) { my_sum += d_clocks[i]; } s_clocks[threadIdx.x] = my_sum; cg::sync(cta); for (int i = 16; i > 0; i /= 2) { if (threadIdx.x < i) { s_clocks[threadIdx.x] += s_clocks[threadIdx.x + i]; } cg::sync(cta); } d_clocks[0] = s_clocks[0]; }
//// simpleCudaGraphs 2
#include <cooperative_groups.h>
#include <vector>
namespace cg = cooperative_groups;
#define THREADS_PER_BLOCK 512
typedef struct callBackData { const char *fn_name; double *data; } callBackData_t;
__global__ void reduce(float *inputVec, double *outputVec, size_t inputSize, size_t outputSize) { __shared__ double tmp[THREADS_PER_BLOCK]; cg::thread_block cta = cg::this_thread_block(); size_t globaltid = blockIdx.x * blockDim.x + threadIdx.x; double temp_sum = 0.0; for (int i = globaltid; i < inputSize; i += gridDim.x * blockDim.x) { temp_sum += (double)inputVec[i]; } tmp[cta.thread_rank()] = temp_sum; cg::sync(cta); cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta); double beta = temp_sum, temp; for (int i = tile32.size() / 2; i > 0; i >>= 1) { if (tile32.thread_rank() < i) { temp = tmp[cta.thread_rank() + i]; beta += temp; tmp[cta.thread_rank()] = beta; } cg::sync(tile32); } cg::sync(cta); if (cta.thread_rank() == 0 && blockIdx.x < outputSize) { beta = 0.0; for (int i = 0; i < cta.size(); i += tile32.size()) { beta += tmp[i]; } outputVec[blockIdx.x] = beta; } }
__global__ void init_input(float *a, size_t size) { auto grid = cg::this_grid(); for (size_t i = grid.thread_rank(); i < size; i += grid.size()) a[i] = 1; }
void CUDART_CB myHostNodeCallback(void *data) { callBackData_t *tmp = (callBackData_t *)(data); double *result = (double *)(tmp->data); *result = 0.0; }
void cudaGraphsManual(float *inputVec_h, float *inputVec_d, double *outputVec_d, double *result_d, size_t inputSize, size_t numOfBlocks) { cudaGraph_t graph; std::vector<cudaGraphNode_t> nodeDependencies; cudaKernelNodeParams kernelNodeParams = {0}; void *kernelArgs[4] = {(void *)&inputVec_d, (void *)&outputVec_d, &inputSize, &numOfBlocks}; kernelNodeParams.func = (void *)reduce; kernelNodeParams.gridDim = dim3(numOfBlocks, 1, 1); auto lambda = [&](int i) -> int { return i + 1; }; }
//// matrixMulDrv 2
#include <builtin_types.h>
template <int block_size, typename size_type> __device__ void matrixMul(float *C, float *A, float *B, size_type wA, size_type wB) { size_type bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y, aBegin = wA * block_size * by, aEnd = aBegin + wA - 1, aStep = block_size, bBegin = block_size * bx, bStep = block_size * wB; float Csub = 0; for (size_type a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) { __shared__ float As[block_size][block_size]; __shared__ float Bs[block_size][block_size]; As[ty][tx] = A[a + wA * ty + tx]; Bs[ty][tx] = B[b + wB * ty + tx]; __syncthreads(); for (size_type k = 0; k < block_size; ++k) Csub += As[ty][k] * Bs[k][tx]; __syncthreads(); } size_type c = wB * block_size * by + block_size * bx; C[c + wB * ty + tx] = Csub; }
extern "C" __global__ void matrixMul_bs16_64bit(float *C, float *A, float *B, size_t wA, size_t wB) { matrixMul<16, size_t>(C, A, B, wA, wB); }
extern "C" __global__ void matrixMul_bs8_64bit(float *C, float *A, float *B, size_t wA, size_t wB) { matrixMul<8, size_t>(C, A, B, wA, wB); }
//// HSOpticalFlow 2
inline int iDivUp(int n, int m) { return (n + m - 1) / m; }
template <int bx, int by> __global__ void JacobiIteration(const float *du0, const float *dv0, const float *Ix, const float *Iy, const float *Iz, int w, int h, int s, float alpha, float *du1, float *dv1) {
  volatile __shared__ float du[(bx + 2) * (by + 2)]; volatile __shared__ float dv[(bx + 2) * (by + 2)];
  const int ix = threadIdx.x + blockIdx.x * blockDim.x, iy = threadIdx.y + blockIdx.y * blockDim.y, pos = min(ix, w - 1) + min(iy, h - 1) * s, shMemPos = threadIdx.x + 1 + (threadIdx.y + 1) * (bx + 2);
#define LoadToShared(dst, src, p) dst[shMemPos] = src[p]
  LoadToShared(du, du0, pos); dv[shMemPos] = dv0[pos];
  int bsx, bsy, x, y; if (threadIdx.y == 0) { bsy = blockIdx.y * blockDim.y - 1; if (bsy < 0) bsy = 0; du[threadIdx.x + 1] = du0[min(ix, w - 1) + bsy * s]; }
  __syncthreads(); if (ix >= w || iy >= h) return;
  float sumDU = (du[shMemPos - 1] + du[shMemPos + 1] + du[shMemPos + bx + 2] + du[shMemPos - bx - 2]) * 0.25f, frac = (Ix[pos] * sumDU + Iz[pos]) / (Ix[pos] * Ix[pos] + alpha); du1[pos] = sumDU - Ix[pos] * frac; dv1[pos] = Iy[pos] * frac;
}
static void SolveForUpdate(const float *du0, const float *dv0, const float *Ix, const float *Iy, const float *Iz, int w, int h, int s, float alpha, float *du1, float *dv1) { dim3 threads(32, 6), blocks(iDivUp(w, threads.x), iDivUp(h, threads.y)); JacobiIteration<32, 6><<<blocks, threads>>>(du0, dv0, Ix, Iy, Iz, w, h, s, alpha, du1, dv1); }
__global__ void WarpingKernel(int width, int height, int stride, const float *u, const float *v, float *out, cudaTextureObject_t texToWarp) { const int ix = threadIdx.x + blockIdx.x * blockDim.x, iy = threadIdx.y + blockIdx.y * blockDim.y, pos = ix + iy * stride; if (ix >= width || iy >= height) return; float x = ((float)ix + u[pos] + 0.5f) / (float)width, y = ((float)iy + v[pos] + 0.5f) / (float)height; out[pos] = tex2D<float>(texToWarp, x, y); }
