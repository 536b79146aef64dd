//// a table of sizes, a template over precision, a pointer to a function table
//= triad <<<32768, 128>>> A[4194304] C[4194304]
template <class T> __global__ void triad(T *A, T *B, T *C, T s) { int gid = threadIdx.x + (blockIdx.x * blockDim.x); C[gid] = A[gid] + s * B[gid]; }
template <typename T> void runTest(ResultDatabase &resultDB, OptionParser &op) {
  const int n_passes = op.getOptionInt("passes");
  const int nSizes = 9; const size_t blockSizes[] = { 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384 };
  const size_t memSize = 16384; const size_t numMaxFloats = 1024 * memSize / 4; const size_t halfNumFloats = numMaxFloats / 2;
  T *h_mem; cudaMallocHost((void **)&h_mem, sizeof(T) * numMaxFloats);
  T *d_memA0, *d_memB0, *d_memC0;
  cudaMalloc((void **)&d_memA0, blockSizes[nSizes - 1] * 1024); cudaMalloc((void **)&d_memB0, blockSizes[nSizes - 1] * 1024); cudaMalloc((void **)&d_memC0, blockSizes[nSizes - 1] * 1024);
  CHECK_CUDA_ERROR();
  const size_t blockSize = 128;
  for (int i = 0; i < nSizes; ++i) {
    int elemsInBlock = blockSizes[i] * 1024 / sizeof(T);
    size_t globalWorkSize = elemsInBlock / blockSize;
    triad<T><<<globalWorkSize, blockSize, 0, 0>>>(d_memA0, d_memB0, d_memC0, 1.75);
  }
}
void RunBenchmark(ResultDatabase &resultDB, OptionParser &op) { runTest<float>(resultDB, op); }
//// molecular dynamics: precision by a branch on the device, arguments by reference
//= compute_lj_force <<<48, 256>>> force3[12288] neighCount = 128 inum = 12288
template <class T, class forceVecType, class posVecType> __global__ void compute_lj_force(forceVecType *force3, const posVecType *position, const int neighCount, const int *neighList, const T cutsq, const int inum) { unsigned idx = blockIdx.x * blockDim.x + threadIdx.x; force3[idx].x = position[neighList[idx]].x; }
template <class T, class forceVecType, class posVecType>
void runTest(const string &testName, ResultDatabase &resultDB, OptionParser &op) {
  const int probSizes[4] = { 12288, 24576, 36864, 73728 };
  int sizeClass = op.getOptionInt("size"); assert(sizeClass >= 0 && sizeClass < 5);
  int nAtom = probSizes[sizeClass - 1];
  posVecType *position; forceVecType *force; int *neighborList; const int maxNeighbors = 128;
  CUDA_SAFE_CALL(cudaMalloc((void **)&force, nAtom * sizeof(forceVecType)));
  CUDA_SAFE_CALL(cudaMalloc((void **)&position, nAtom * sizeof(posVecType)));
  CUDA_SAFE_CALL(cudaMalloc((void **)&neighborList, nAtom * maxNeighbors * sizeof(int)));
  int blockSize = 256; int gridSize = nAtom / blockSize;
  compute_lj_force<T, forceVecType, posVecType><<<gridSize, blockSize>>>(force, position, maxNeighbors, neighborList, 16.0f, nAtom);
}
void RunBenchmark(ResultDatabase &resultDB, OptionParser &op) {
  int device; cudaGetDevice(&device); cudaDeviceProp deviceProp; cudaGetDeviceProperties(&deviceProp, device);
  runTest<float, float3, float4>("MD-LJ", resultDB, op);
  if ((deviceProp.major == 1 && deviceProp.minor >= 3) || (deviceProp.major >= 2)) { runTest<double, double3, double4>("MD-LJ-DP", resultDB, op); }
}
//// radix sort: vectors of four, shared memory by the block, passes in a helper
//= radixSortBlocks <<<256, 256, 2048>>> nbits = 4 startbit = 0 keysIn[65536]
typedef unsigned int uint;
#define SORT_BLOCK_SIZE 128
__global__ void radixSortBlocks(const uint nbits, const uint startbit, uint4 *keysOut, uint4 *keysIn) { extern __shared__ uint sMem[]; sMem[threadIdx.x] = 0; keysOut[blockIdx.x * blockDim.x + threadIdx.x] = keysIn[blockIdx.x * blockDim.x + threadIdx.x]; }
void radixSortStep(uint nbits, uint startbit, uint4 *keys, uint4 *tempKeys, uint numElements) {
  const size_t blocks = numElements / 4 / 256;
  radixSortBlocks<<<blocks, 2 * SORT_BLOCK_SIZE, 4 * sizeof(uint) * SORT_BLOCK_SIZE>>>(nbits, startbit, tempKeys, keys);
}
void RunBenchmark(ResultDatabase &resultDB, OptionParser &op) {
  int probSizes[4] = { 1, 8, 48, 96 }; int size = probSizes[op.getOptionInt("size") - 1];
  size = (size * 1024 * 1024) / sizeof(uint); size_t bytes = size * sizeof(uint);
  uint *dKeys, *dTempKeys;
  CUDA_SAFE_CALL(cudaMalloc((void **)&dKeys, bytes)); CUDA_SAFE_CALL(cudaMalloc((void **)&dTempKeys, bytes));
  for (int i = 0; i < 32; i += 4) { radixSortStep(4, i, (uint4 *)dKeys, (uint4 *)dTempKeys, size); }
}
//// a stencil class whose members hold the block and the sizes
//= StencilKernel <<<dim3(32, 16), dim3(1, 256)>>> nrows = 514 ncols = 4098 data[2106372]
__global__ void StencilKernel(float *data, float *newData, int nrows, int ncols) { int r = blockIdx.x * 16 + 1; newData[r * ncols + threadIdx.y] = data[r * ncols]; }
template <class T> class CUDAStencil { 
  size_t lRows, lCols; int device;
public:
  CUDAStencil(size_t rows, size_t cols, int dev) : lRows(rows), lCols(cols), device(dev) {}
  void operator()(int nIters, int nrows, int ncols) {
    T *da, *db; cudaMalloc((void **)&da, nrows * ncols * sizeof(T)); cudaMalloc((void **)&db, nrows * ncols * sizeof(T));
    dim3 gridDim((nrows - 2) / lRows, (ncols - 2) / lCols); dim3 blockDim(1, lCols);
    for (int iter = 0; iter < nIters; iter++) { StencilKernel<<<gridDim, blockDim>>>(da, db, nrows, ncols); T *t = da; da = db; db = t; }
  }
};
int main() { CUDAStencil<float> stencil(16, 256, 0); stencil(10, 514, 4098); return 0; }
