//// options with a default, checked calls, a template chosen by the block
//= matMul <<<dim3(20, 10), dim3(32, 32)>>> C[204800] wA = 320 wB = 640
template <int BLOCK_SIZE> __global__ void matMul(float *C, float *A, float *B, int wA, int wB) { int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; C[wB * (BLOCK_SIZE * blockIdx.y + threadIdx.y) + i] = A[wA] * B[i]; }
int MatrixMultiply(int argc, char **argv, int block_size, const dim3 &dimsA, const dim3 &dimsB) {
  unsigned int size_A = dimsA.x * dimsA.y; unsigned int mem_size_A = sizeof(float) * size_A; float *h_A; checkCudaErrors(cudaMallocHost(&h_A, mem_size_A));
  unsigned int size_B = dimsB.x * dimsB.y; unsigned int mem_size_B = sizeof(float) * size_B;
  cudaStream_t stream; float *d_A, *d_B, *d_C; dim3 dimsC(dimsB.x, dimsA.y, 1); unsigned int mem_size_C = dimsC.x * dimsC.y * sizeof(float);
  checkCudaErrors(cudaMalloc(reinterpret_cast<void **>(&d_A), mem_size_A)); checkCudaErrors(cudaMalloc(reinterpret_cast<void **>(&d_B), mem_size_B)); checkCudaErrors(cudaMalloc(reinterpret_cast<void **>(&d_C), mem_size_C));
  cudaEvent_t start, stop; checkCudaErrors(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  dim3 threads(block_size, block_size); dim3 grid(dimsB.x / threads.x, dimsA.y / threads.y);
  if (block_size == 16) { matMul<16><<<grid, threads, 0, stream>>>(d_C, d_A, d_B, dimsA.x, dimsB.x); } else { matMul<32><<<grid, threads, 0, stream>>>(d_C, d_A, d_B, dimsA.x, dimsB.x); }
  return EXIT_SUCCESS;
}
int main(int argc, char **argv) {
  if (checkCmdLineFlag(argc, (const char **)argv, "help") || checkCmdLineFlag(argc, (const char **)argv, "?")) { printf("Usage\n"); exit(EXIT_SUCCESS); }
  int dev = findCudaDevice(argc, (const char **)argv); int block_size = 32;
  dim3 dimsA(5 * 2 * block_size, 5 * 2 * block_size, 1), dimsB(5 * 4 * block_size, 5 * 2 * block_size, 1);
  if (checkCmdLineFlag(argc, (const char **)argv, "wA")) { dimsA.x = getCmdLineArgumentInt(argc, (const char **)argv, "wA"); }
  if (dimsA.x != dimsB.y) { printf("Error: outer matrix dimensions must be equal. (%d != %d)\n", dimsA.x, dimsB.y); exit(EXIT_FAILURE); }
  checkCudaErrors(cudaProfilerStart()); int matrix_result = MatrixMultiply(argc, argv, block_size, dimsA, dimsB); exit(matrix_result);
}
//// a reduction: a switch over the block, by-reference shape, an enum of types
//= reduce <<<64, 256, 1024>>> g_idata[16777216] n = 16777216
#define MIN(x, y) ((x < y) ? x : y)
enum ReduceType { REDUCE_INT, REDUCE_FLOAT, REDUCE_DOUBLE };
template <class T, unsigned int blockSize> __global__ void reduce(T *g_idata, T *g_odata, unsigned int n) { extern __shared__ int sdata[]; unsigned int i = blockIdx.x * blockSize + threadIdx.x; if (i < n) g_odata[blockIdx.x] = g_idata[i]; }
unsigned int nextPow2(unsigned int x) { --x; x |= x >> 1; x |= x >> 2; x |= x >> 4; x |= x >> 8; x |= x >> 16; return ++x; }
void getNumBlocksAndThreads(int whichKernel, int n, int maxBlocks, int maxThreads, int &blocks, int &threads) {
  cudaDeviceProp prop; int device; checkCudaErrors(cudaGetDevice(&device)); checkCudaErrors(cudaGetDeviceProperties(&prop, device));
  if (whichKernel < 3) { threads = (n < maxThreads) ? nextPow2(n) : maxThreads; blocks = (n + threads - 1) / threads; }
  else { threads = (n < maxThreads * 2) ? nextPow2((n + 1) / 2) : maxThreads; blocks = (n + (threads * 2 - 1)) / (threads * 2); }
  if ((float)threads * blocks > (float)prop.maxGridSize[0] * prop.maxThreadsPerBlock) { printf("n is too large, please choose a smaller number!\n"); }
  if (blocks > prop.maxGridSize[0]) { blocks /= 2; threads *= 2; }
  if (whichKernel >= 6) { blocks = MIN(maxBlocks, blocks); }
}
template <class T> void launchReduce(int size, int threads, int blocks, int whichKernel, T *d_idata, T *d_odata) {
  dim3 dimBlock(threads, 1, 1); dim3 dimGrid(blocks, 1, 1); int smemSize = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
  switch (threads) {
    case 512: reduce<T, 512><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
    case 256: reduce<T, 256><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
    case 128: reduce<T, 128><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
  }
}
template <class T> bool runTest(int argc, char **argv, ReduceType datatype) {
  int size = 1 << 24; int maxThreads = 256; int whichKernel = 7; int maxBlocks = 64;
  if (checkCmdLineFlag(argc, (const char **)argv, "n")) { size = getCmdLineArgumentInt(argc, (const char **)argv, "n"); }
  unsigned int bytes = size * sizeof(T); T *h_idata = (T *)malloc(bytes);
  int numBlocks = 0, numThreads = 0; getNumBlocksAndThreads(whichKernel, size, maxBlocks, maxThreads, numBlocks, numThreads);
  T *d_idata = NULL, *d_odata = NULL; checkCudaErrors(cudaMalloc((void **)&d_idata, bytes)); checkCudaErrors(cudaMalloc((void **)&d_odata, numBlocks * sizeof(T)));
  launchReduce<T>(size, numThreads, numBlocks, whichKernel, d_idata, d_odata); return true;
}
int main(int argc, char **argv) {
  char *typeInput = 0; getCmdLineArgumentString(argc, (const char **)argv, "type", &typeInput); ReduceType datatype = REDUCE_INT;
  if (0 != typeInput) { if (!strcasecmp(typeInput, "float")) { datatype = REDUCE_FLOAT; } else { datatype = REDUCE_INT; } }
  bool bResult = false;
  switch (datatype) { default: case REDUCE_INT: bResult = runTest<int>(argc, argv, datatype); break; case REDUCE_FLOAT: bResult = runTest<float>(argc, argv, datatype); break; }
}
//// occupancy calls choose the block, managed memory
//= square <<<3907, 256>>> array[1000000] arrayCount = 1000000
__global__ void square(int *array, int arrayCount) { int idx = threadIdx.x + blockIdx.x * blockDim.x; if (idx < arrayCount) array[idx] *= array[idx]; }
static int launchConfig(int *array, int arrayCount, bool automatic) {
  int blockSize, minGridSize, gridSize; size_t dynamicSMemUsage = 0;
  if (automatic) { checkCudaErrors(cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, (void *)square, dynamicSMemUsage, arrayCount)); } else { blockSize = 32; }
  gridSize = (arrayCount + blockSize - 1) / blockSize; square<<<gridSize, blockSize, dynamicSMemUsage>>>(array, arrayCount); return 0;
}
int main() { const int count = 1000000; int *dArray; checkCudaErrors(cudaMallocManaged(&dArray, count * sizeof(int))); launchConfig(dArray, count, true); return 0; }
//// a block scan: rounds, a constant per file, an inline helper
//= scanShared <<<6144, 256>>> d_Dst[1572864] size = 256
typedef unsigned int uint;
#define THREADBLOCK_SIZE 256
const uint MAX_BATCH_ELEMENTS = 64 * 1048576; const uint MIN_SHORT_ARRAY_SIZE = 4; const uint N = 13 * 1048576 / 2;
__global__ void scanShared(uint4 *d_Dst, uint4 *d_Src, uint size) { uint pos = blockIdx.x * blockDim.x + threadIdx.x; d_Dst[pos] = d_Src[pos]; }
static uint factorRadix2(uint &log2L, uint L) { if (!L) { log2L = 0; return 0; } else { for (log2L = 0; (L & 1) == 0; L >>= 1, log2L++); return L; } }
extern "C" size_t scanShort(uint *d_Dst, uint *d_Src, uint batchSize, uint arrayLength) {
  uint log2L; uint factorizationRemainder = factorRadix2(log2L, arrayLength); assert(factorizationRemainder == 1);
  assert((arrayLength >= MIN_SHORT_ARRAY_SIZE)); assert((batchSize * arrayLength) % (4 * THREADBLOCK_SIZE) == 0);
  scanShared<<<(batchSize * arrayLength) / (4 * THREADBLOCK_SIZE), THREADBLOCK_SIZE>>>((uint4 *)d_Dst, (uint4 *)d_Src, arrayLength); getLastCudaError("scan failed"); return THREADBLOCK_SIZE;
}
int main(int argc, char **argv) {
  uint *d_Input, *d_Output; const uint NS = 6 * 1048576; checkCudaErrors(cudaMalloc((void **)&d_Input, NS * sizeof(uint))); checkCudaErrors(cudaMalloc((void **)&d_Output, NS * sizeof(uint)));
  for (uint arrayLength = 256; arrayLength <= 1024; arrayLength <<= 1) { for (int i = 0; i < 100; i++) { scanShort(d_Output, d_Input, NS / arrayLength, arrayLength); } }
}
//// pitched memory, two-dimensional copies
//= blurRows <<<dim3(32, 135), dim3(16, 8)>>> src[552960] pitch = 512 width = 512
#define W 512
#define H 1080
__global__ void blurRows(const float *src, float *dst, size_t pitch, int width, int height) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x < width && y < height) dst[y * pitch + x] = src[y * pitch + x]; }
int main(int argc, char **argv) {
  float *d_src, *d_dst; size_t srcPitch, dstPitch; float *h = new float[W * H];
  checkCudaErrors(cudaMallocPitch((void **)&d_src, &srcPitch, W * sizeof(float), H)); checkCudaErrors(cudaMallocPitch((void **)&d_dst, &dstPitch, W * sizeof(float), H));
  checkCudaErrors(cudaMemcpy2D(d_src, srcPitch, h, W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice));
  dim3 blockSize(16, 8); dim3 gridSize((W + blockSize.x - 1) / blockSize.x, (H + blockSize.y - 1) / blockSize.y);
  blurRows<<<gridSize, blockSize>>>(d_src, d_dst, srcPitch / sizeof(float), W, H);
}
//// streams over parts of one array
//= init_array <<<32768, 512>>> g_data[16777216] num_iterations = 5
__global__ void init_array(int *g_data, const int *factor, int num_iterations) { int idx = blockIdx.x * blockDim.x + threadIdx.x; for (int i = 0; i < num_iterations; i++) g_data[idx] += *factor; }
int main(int argc, char *argv[]) {
  int nstreams = 4, nreps = 10; int n = 16 * 1024 * 1024; int nbytes = n * sizeof(int); dim3 threads, blocks; float scale_factor = 1.0f;
  bool bPinGenericMemory = false; int device_sync_method = cudaDeviceBlockingSync; int niterations;
  if (checkCmdLineFlag(argc, (const char **)argv, "use_generic_memory")) { bPinGenericMemory = true; }
  niterations = 5; cudaDeviceProp deviceProp; checkCudaErrors(cudaGetDeviceProperties(&deviceProp, 0));
  scale_factor = max((32.0f / (_ConvertSMVer2Cores(deviceProp.major, deviceProp.minor) * (float)deviceProp.multiProcessorCount)), 1.0f);
  int *a = 0; int *d_a = 0, *d_c = 0; AllocateHostMemory(bPinGenericMemory, &a, &a, nbytes);
  checkCudaErrors(cudaMalloc((void **)&d_a, nbytes)); checkCudaErrors(cudaMalloc((void **)&d_c, sizeof(int)));
  cudaStream_t *streams = (cudaStream_t *)malloc(nstreams * sizeof(cudaStream_t)); for (int i = 0; i < nstreams; i++) { checkCudaErrors(cudaStreamCreate(&(streams[i]))); }
  threads = dim3(512, 1); blocks = dim3(n / threads.x, 1);
  init_array<<<blocks, threads, 0, streams[0]>>>(d_a, d_c, niterations);
  threads = dim3(512, 1); blocks = dim3(n / (nstreams * threads.x), 1);
  for (int k = 0; k < nreps; k++) { for (int i = 0; i < nstreams; i++) init_array<<<blocks, threads, 0, streams[i]>>>(d_a + i * n / nstreams, d_c, niterations); }
}
