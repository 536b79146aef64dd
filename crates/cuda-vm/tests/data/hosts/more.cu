//// a histogram of the samples: sizes as macros in bytes, a global pointer, init and close functions
//= histogram64Kernel <<<4370, 64>>> dataCount = 4194304 d_Data[4194304]
//= mergeHistogram64Kernel <<<64, 256>>> histogramCount = 4370
typedef unsigned int uint; typedef unsigned char uchar;
#define SHARED_MEMORY_BANKS 16
#define HISTOGRAM64_BIN_COUNT 64
#define HISTOGRAM64_THREADBLOCK_SIZE (4 * SHARED_MEMORY_BANKS)
#define MERGE_THREADBLOCK_SIZE 256
#define UMAX(a, b) ((a) > (b) ? (a) : (b))
inline __host__ uint iDivUp(uint a, uint b) { return (a % b != 0) ? (a / b + 1) : (a / b); }
inline uint iSnapDown(uint a, uint b) { return a - a % b; }
static uint *d_PartialHistograms; static const uint MAX_PARTIAL_HISTOGRAM64_COUNT = 32768;
__global__ void histogram64Kernel(uint *d_Partial, uint4 *d_Data, uint dataCount) { uint pos = blockIdx.x * blockDim.x + threadIdx.x; if (pos < dataCount) d_Partial[pos % 64] = d_Data[pos].x; }
__global__ void mergeHistogram64Kernel(uint *d_Histogram, uint *d_Partial, uint histogramCount) { uint sum = 0; for (uint i = threadIdx.x; i < histogramCount; i += 256) sum += d_Partial[blockIdx.x + i * 64]; d_Histogram[blockIdx.x] = sum; }
extern "C" void initHistogram64(void) { assert(HISTOGRAM64_THREADBLOCK_SIZE % (4 * SHARED_MEMORY_BANKS) == 0); checkCudaErrors(cudaMalloc((void **)&d_PartialHistograms, MAX_PARTIAL_HISTOGRAM64_COUNT * HISTOGRAM64_BIN_COUNT * sizeof(uint))); }
extern "C" void histogram64(uint *d_Histogram, void *d_Data, uint byteCount) {
  const uint histogramCount = iDivUp(byteCount, HISTOGRAM64_THREADBLOCK_SIZE * iSnapDown(255, sizeof(uint4)) - 0 + 0);
  assert(byteCount % sizeof(uint4) == 0); assert(histogramCount <= MAX_PARTIAL_HISTOGRAM64_COUNT);
  histogram64Kernel<<<histogramCount, HISTOGRAM64_THREADBLOCK_SIZE>>>(d_PartialHistograms, (uint4 *)d_Data, byteCount / sizeof(uint4));
  mergeHistogram64Kernel<<<HISTOGRAM64_BIN_COUNT, MERGE_THREADBLOCK_SIZE>>>(d_Histogram, d_PartialHistograms, histogramCount);
}
const static char *sSDKsample = "[histogram]";
int main(int argc, char **argv) {
  uchar *h_Data, *d_Data; uint *d_Histogram; int PassFailFlag = 1; uint byteCount = 64 * 1048576; uint uiSizeMult = 1;
  if (checkCmdLineFlag(argc, (const char **)argv, "sizemult")) { uiSizeMult = getCmdLineArgumentInt(argc, (const char **)argv, "sizemult"); uiSizeMult = UMAX(1, uiSizeMult); byteCount *= uiSizeMult; }
  checkCudaErrors(cudaMalloc((void **)&d_Data, byteCount)); checkCudaErrors(cudaMalloc((void **)&d_Histogram, 256 * sizeof(uint)));
  initHistogram64(); for (int iter = -1; iter < 16; iter++) { if (iter == 0) { cudaDeviceSynchronize(); } histogram64(d_Histogram, d_Data, byteCount); }
}
//// options pricing: a struct of options, fixed grid
//= BlackScholesGPU <<<7812, 128>>> optN = 4000000 d_CallResult[2000000]
#define DIV_UP(a, b) (((a) + (b) - 1) / (b))
__global__ void BlackScholesGPU(float2 *d_CallResult, float2 *d_StockPrice, float Riskfree, int optN) { const int opt = blockDim.x * blockIdx.x + threadIdx.x; if (opt < optN / 2) d_CallResult[opt].x = d_StockPrice[opt].x * Riskfree; }
const int OPT_N = 4000000; const int NUM_ITERATIONS = 512; const int OPT_SZ = OPT_N * sizeof(float); const float RISKFREE = 0.02f;
int main(int argc, char **argv) {
  float *h_CallResultCPU, *d_CallResult, *d_StockPrice; double delta, ref; StopWatchInterface *hTimer = NULL; int i; findCudaDevice(argc, (const char **)argv); sdkCreateTimer(&hTimer);
  checkCudaErrors(cudaMalloc((void **)&d_CallResult, OPT_SZ)); checkCudaErrors(cudaMalloc((void **)&d_StockPrice, OPT_SZ));
  for (i = 0; i < OPT_N; i++) { h_CallResultCPU[i] = 0.0f; }
  for (i = 0; i < NUM_ITERATIONS; i++) { BlackScholesGPU<<<DIV_UP(OPT_N, 2 * 128) / 2, 128>>>((float2 *)d_CallResult, (float2 *)d_StockPrice, RISKFREE, OPT_N); getLastCudaError("failed\n"); }
}
//// n-body: an object behind a pointer to its base, virtual methods, block size as a member
//= integrateBodies <<<64, 256, 4096>>> numBodies = 16384 newPos[16384]
__global__ void integrateBodies(float4 *newPos, const float4 *oldPos, int numBodies) { extern __shared__ float4 s[]; int i = blockIdx.x * blockDim.x + threadIdx.x; s[threadIdx.x] = oldPos[i % numBodies]; if (i < numBodies) newPos[i] = s[threadIdx.x]; }
class BodySystem { public: BodySystem(int n) : m_numBodies(n) {} virtual ~BodySystem() {} virtual void update(float dt) = 0; protected: int m_numBodies; };
class BodySystemCUDA : public BodySystem {
 public:
  BodySystemCUDA(int n, unsigned int blockSize) : BodySystem(n), m_blockSize(blockSize), m_currentRead(0), m_currentWrite(1) { _initialize(n); }
  virtual void update(float dt) { int numBlocks = (m_numBodies + m_blockSize - 1) / m_blockSize; int sharedMemSize = m_blockSize * 4 * sizeof(float); integrateBodies<<<numBlocks, m_blockSize, sharedMemSize>>>((float4 *)m_dPos[m_currentWrite], (float4 *)m_dPos[m_currentRead], m_numBodies); std::swap(m_currentRead, m_currentWrite); }
 protected:
  void _initialize(int n) { unsigned int memSize = sizeof(float) * 4 * n; for (int i = 0; i < 2; i++) checkCudaErrors(cudaMalloc((void **)&m_dPos[i], memSize)); }
  unsigned int m_blockSize, m_currentRead, m_currentWrite; float *m_dPos[2];
};
BodySystem *m_nbody; int numBodies = 16384; int blockSize = 256;
int main(int argc, char **argv) { bool benchmark = checkCmdLineFlag(argc, (const char **)argv, "benchmark") != 0; m_nbody = new BodySystemCUDA(numBodies, blockSize); for (int i = 0; i < 10; i++) { m_nbody->update(0.016f); } delete m_nbody; }
//// separable convolution: two kernels of one image, asserts, constants by symbol
//= convolutionRowsKernel <<<dim3(24, 768), dim3(16, 4)>>> d_Dst[9437184] imageW = 3072
//= convolutionColumnsKernel <<<dim3(192, 48), dim3(16, 8)>>> pitch = 3072
#define KERNEL_RADIUS 8
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
#define ROWS_BLOCKDIM_X 16
#define ROWS_BLOCKDIM_Y 4
#define ROWS_RESULT_STEPS 8
#define COLUMNS_BLOCKDIM_X 16
#define COLUMNS_BLOCKDIM_Y 8
#define COLUMNS_RESULT_STEPS 8
__constant__ float c_Kernel[KERNEL_LENGTH];
__global__ void convolutionRowsKernel(float *d_Dst, float *d_Src, int imageW, int imageH, int pitch) { int x = blockIdx.x * ROWS_RESULT_STEPS * ROWS_BLOCKDIM_X + threadIdx.x, y = blockIdx.y * ROWS_BLOCKDIM_Y + threadIdx.y; d_Dst[y * pitch + x] = c_Kernel[0] * d_Src[y * pitch + x]; }
__global__ void convolutionColumnsKernel(float *d_Dst, float *d_Src, int imageW, int imageH, int pitch) { int x = blockIdx.x * COLUMNS_BLOCKDIM_X + threadIdx.x, y = blockIdx.y * COLUMNS_BLOCKDIM_Y * COLUMNS_RESULT_STEPS + threadIdx.y; d_Dst[y * pitch + x] = c_Kernel[1] * d_Src[y * pitch + x]; }
extern "C" void convolutionRowsGPU(float *d_Dst, float *d_Src, int imageW, int imageH) { assert(ROWS_BLOCKDIM_X * 1 >= KERNEL_RADIUS); dim3 blocks(imageW / (ROWS_RESULT_STEPS * ROWS_BLOCKDIM_X), imageH / ROWS_BLOCKDIM_Y); dim3 threads(ROWS_BLOCKDIM_X, ROWS_BLOCKDIM_Y); convolutionRowsKernel<<<blocks, threads>>>(d_Dst, d_Src, imageW, imageH, imageW); getLastCudaError("rows"); }
extern "C" void convolutionColumnsGPU(float *d_Dst, float *d_Src, int imageW, int imageH) { dim3 blocks(imageW / COLUMNS_BLOCKDIM_X, imageH / (COLUMNS_RESULT_STEPS * COLUMNS_BLOCKDIM_Y)); dim3 threads(COLUMNS_BLOCKDIM_X, COLUMNS_BLOCKDIM_Y); convolutionColumnsKernel<<<blocks, threads>>>(d_Dst, d_Src, imageW, imageH, imageW); }
int main(int argc, char **argv) {
  float *h_Kernel, *h_Input, *d_Input, *d_Output, *d_Buffer; const int imageW = 3072; const int imageH = 3072; const int iterations = 16;
  h_Kernel = (float *)malloc(KERNEL_LENGTH * sizeof(float)); h_Input = (float *)malloc(imageW * imageH * sizeof(float)); srand(200);
  checkCudaErrors(cudaMalloc((void **)&d_Input, imageW * imageH * sizeof(float))); checkCudaErrors(cudaMalloc((void **)&d_Output, imageW * imageH * sizeof(float))); checkCudaErrors(cudaMalloc((void **)&d_Buffer, imageW * imageH * sizeof(float)));
  cudaMemcpyToSymbol(c_Kernel, h_Kernel, KERNEL_LENGTH * sizeof(float));
  for (int i = -1; i < iterations; i++) { convolutionRowsGPU(d_Buffer, d_Input, imageW, imageH); convolutionColumnsGPU(d_Output, d_Buffer, imageW, imageH); }
}
//// image noise reduction: an iterative kernel over ranges of rows with structs of neighbours
//= srad_cuda_1 <<<dim3(128, 128), dim3(16, 16)>>> E_C[4194304] cols = 2048 rows = 2048
#define BLOCK_SIZE 16
__global__ void srad_cuda_1(float *E_C, float *J_cuda, float *C_cuda, int cols, int rows, float q0sqr) { int index = cols * BLOCK_SIZE * blockIdx.y + BLOCK_SIZE * blockIdx.x + cols * threadIdx.y + threadIdx.x; C_cuda[index] = J_cuda[index] + E_C[index] * q0sqr; }
void usage(int argc, char **argv) { fprintf(stderr, "Usage: %s <rows> <cols> <y1> <y2> <x1> <x2> <lamda> <no. of iter>\n", argv[0]); exit(1); }
void runTest(int argc, char **argv) {
  int rows, cols, size_I, size_R, niter = 10, iter; float *I, *J, lambda, q0sqr, sum, sum2, tmp, meanROI, varROI; float *J_cuda, *C_cuda, *E_C; unsigned int r1, r2, c1, c2;
  if (argc == 9) { rows = atoi(argv[1]); cols = atoi(argv[2]); if ((rows % 16 != 0) || (cols % 16 != 0)) { fprintf(stderr, "rows and cols must be multiples of 16\n"); exit(1); } r1 = atoi(argv[3]); niter = atoi(argv[8]); }
  else if (argc == 1) { rows = 2048; cols = 2048; r1 = 0; r2 = 127; c1 = 0; c2 = 127; lambda = 0.5f; niter = 2; }
  else { usage(argc, argv); }
  size_I = cols * rows; size_R = (r2 - r1 + 1) * (c2 - c1 + 1); I = (float *)malloc(size_I * sizeof(float));
  cudaMalloc((void **)&J_cuda, sizeof(float) * size_I); cudaMalloc((void **)&C_cuda, sizeof(float) * size_I); cudaMalloc((void **)&E_C, sizeof(float) * size_I);
  for (iter = 0; iter < niter; iter++) { sum = 0; for (int i = r1; i <= r2; i++) { for (int j = c1; j <= c2; j++) { tmp = J[i * cols + j]; sum += tmp; sum2 += tmp * tmp; } } meanROI = sum / size_R; q0sqr = varROI / (meanROI * meanROI);
    int block_x = cols / BLOCK_SIZE; int block_y = rows / BLOCK_SIZE; dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE); dim3 dimGrid(block_x, block_y); cudaMemcpy(J_cuda, J, sizeof(float) * size_I, cudaMemcpyHostToDevice);
    srad_cuda_1<<<dimGrid, dimBlock>>>(E_C, J_cuda, C_cuda, cols, rows, q0sqr); }
}
int main(int argc, char **argv) { runTest(argc, argv); return EXIT_SUCCESS; }
//// k-means: allocation by one function, launch by another, globals between them
//= kmeansPoint <<<dim3(44, 44), 256>>> nfeatures = 34 npoints = 494020 nclusters = 5
#define THREADS_PER_DIM 16
#define BLOCKS_PER_DIM 16
#define THREADS_PER_BLOCK THREADS_PER_DIM * THREADS_PER_DIM
unsigned int num_threads_perdim = THREADS_PER_DIM; unsigned int num_blocks_perdim = BLOCKS_PER_DIM; unsigned int num_threads = num_threads_perdim * num_threads_perdim; unsigned int num_blocks = num_blocks_perdim * num_blocks_perdim;
float *feature_d; int *membership_d;
__global__ void kmeansPoint(float *features, int nfeatures, int npoints, int nclusters, int *membership) { unsigned id = (blockIdx.x + gridDim.x * blockIdx.y) * blockDim.x + threadIdx.x; if (id < npoints) membership[id] = features[id * nfeatures] > nclusters; }
void allocateMemory(int npoints, int nfeatures, int nclusters, float **features) { num_blocks = npoints / num_threads; if (npoints % num_threads > 0) num_blocks++; num_blocks_perdim = sqrt((double)num_blocks); while (num_blocks_perdim * num_blocks_perdim < num_blocks) num_blocks_perdim++; num_blocks = num_blocks_perdim * num_blocks_perdim; cudaMalloc((void **)&feature_d, npoints * nfeatures * sizeof(float)); cudaMalloc((void **)&membership_d, npoints * sizeof(int)); }
int kmeansCuda(float **feature, int nfeatures, int npoints, int nclusters) { dim3 grid(num_blocks_perdim, num_blocks_perdim); dim3 threads(num_threads_perdim * num_threads_perdim); kmeansPoint<<<grid, threads>>>(feature_d, nfeatures, npoints, nclusters, membership_d); return 0; }
int main(int argc, char **argv) { int npoints = 494020, nfeatures = 34, nclusters = 5, loop = 0; float **feature = 0; allocateMemory(npoints, nfeatures, nclusters, feature); do { kmeansCuda(feature, nfeatures, npoints, nclusters); } while (loop++ < 500 && changed() > 10); }
//// particles: a C file with old declarations at the top of blocks
//= likelihood <<<79, 128>>> Nparticles = 10000 countOnes = 69
int threads_per_block = 128;
__global__ void likelihood(double *arrayX, double *likelihoods, int Nparticles, int countOnes) { int i = blockDim.x * blockIdx.x + threadIdx.x; if (i < Nparticles) likelihoods[i] = arrayX[i] * countOnes; }
void particleFilter(unsigned char *I, int IszX, int IszY, int Nfr, int *seed, int Nparticles) {
  int max_size = IszX * IszY * Nfr; double xe = roundDouble(IszY / 2.0); int radius = 5; int diameter = radius * 2 - 1; int *disk = (int *)malloc(diameter * diameter * sizeof(int));
  int countOnes = 0; int x, y; double *arrayX_GPU, *likelihood_GPU; countOnes = 69;
  check_error(cudaMalloc((void **)&arrayX_GPU, sizeof(double) * Nparticles)); check_error(cudaMalloc((void **)&likelihood_GPU, sizeof(double) * Nparticles));
  int num_blocks = ceil((double)Nparticles / (double)threads_per_block); int k;
  for (k = 1; k < Nfr; k++) { likelihood<<<num_blocks, threads_per_block>>>(arrayX_GPU, likelihood_GPU, Nparticles, countOnes); }
}
int main(int argc, char *argv[]) {
  const char *usage = "float.out -x <dimX> -y <dimY> -z <Nfr> -np <Nparticles>"; int IszX, IszY, Nfr, Nparticles; int i;
  IszX = 128; IszY = 128; Nfr = 10; Nparticles = 10000; int *seed = (int *)malloc(sizeof(int) * Nparticles); for (i = 0; i < Nparticles; i++) seed[i] = time(0) * i;
  unsigned char *I = (unsigned char *)malloc(sizeof(unsigned char) * IszX * IszY * Nfr); particleFilter(I, IszX, IszY, Nfr, seed, Nparticles); return 0;
}
//// a modern wrapper: a template over a functor, a RAII buffer, a span of sizes
//= transform <<<3907, 256>>> n = 1000000 x[1000000]
struct Square { __device__ float operator()(float v) const { return v * v; } };
template <typename F> __global__ void transform(float *x, size_t n, F f) { size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; if (i < n) x[i] = f(x[i]); }
template <typename T> class Buffer { T *ptr_ = nullptr; size_t size_ = 0; public: explicit Buffer(size_t n) : size_(n) { cudaMalloc(&ptr_, n * sizeof(T)); } Buffer(const Buffer &) = delete; ~Buffer() { cudaFree(ptr_); } T *get() { return ptr_; } size_t size() const { return size_; } };
template <typename F> void apply(Buffer<float> &b, F f) { constexpr unsigned block = 256; const unsigned grid = static_cast<unsigned>((b.size() + block - 1) / block); transform<<<grid, block>>>(b.get(), b.size(), f); CHECK(cudaGetLastError()); }
int main() { Buffer<float> b(1'000'000); apply(b, Square{}); }
//// a configuration by environment, a table of kernels by a macro, unsigned long counts
//= axpby <<<2048, 512>>> n = 1048576
#define CEIL(x, y) (((x) + (y)-1) / (y))
#define CUDA_TRY(call) do { cudaError_t e = (call); if (e != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(e)); return 1; } } while (0)
static unsigned long n_default = 1UL << 20; struct opts { unsigned long n; int threads; const char *name; };
static int parse_opts(struct opts *o, int argc, char **argv) { int c; o->n = n_default; o->threads = 512; o->name = "axpby"; while ((c = getopt(argc, argv, "n:t:")) != -1) { switch (c) { case 'n': o->n = strtoul(optarg, NULL, 10); break; case 't': o->threads = atoi(optarg); break; default: return -1; } } return 0; }
__global__ void axpby(unsigned long n, float a, const float *x, float b, float *y) { unsigned long i = blockIdx.x * (unsigned long)blockDim.x + threadIdx.x; if (i < n) y[i] = a * x[i] + b * y[i]; }
int main(int argc, char **argv) { struct opts o; if (parse_opts(&o, argc, argv) != 0) return 1; float *x, *y; CUDA_TRY(cudaMalloc((void **)&x, o.n * sizeof(float))); CUDA_TRY(cudaMalloc((void **)&y, o.n * sizeof(float))); axpby<<<CEIL(o.n, o.threads), o.threads>>>(o.n, 2.f, x, 3.f, y); CUDA_TRY(cudaDeviceSynchronize()); return 0; }
//// multigrid: recursion over levels, arrays of pointers
//= smooth <<<dim3(32, 32), dim3(16, 16)>>> n = 512 u[262144]
__global__ void smooth(float *u, const float *f, int n) { int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y; if (i < n && j < n) u[j * n + i] = f[j * n + i]; }
#define LEVELS 5
float *U[LEVELS], *F[LEVELS];
void cycle(int level, int n) { dim3 b(16, 16), g((n + 15) / 16, (n + 15) / 16); smooth<<<g, b>>>(U[level], F[level], n); if (level + 1 < LEVELS) { cycle(level + 1, n / 2); smooth<<<g, b>>>(U[level], F[level], n); } }
int main() { int n = 512; for (int l = 0; l < LEVELS; l++) { int m = n >> l; cudaMalloc(&U[l], m * m * sizeof(float)); cudaMalloc(&F[l], m * m * sizeof(float)); } for (int it = 0; it < 3; ++it) cycle(0, n); }
//// batches by arithmetic on long long, a namespace, auto
//= batched <<<dim3(16, 100), 64>>> stride = 1024 data[102400]
namespace detail { template <typename I> constexpr I ceil_div(I a, I b) { return (a + b - 1) / b; } inline long long elements(int m, int n) { return (long long)m * n; } }
__global__ void batched(double *data, long long stride, int m) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < m) data[blockIdx.y * stride + i] *= 2; }
int main() { using namespace detail; const int m = 32, n = 32, batch = 100; auto stride = elements(m, n); double *data; cudaMalloc(reinterpret_cast<void **>(&data), stride * batch * sizeof(*data)); const auto threads = 64u; dim3 grid(ceil_div<unsigned>(stride, threads), batch); batched<<<grid, threads>>>(data, stride, int(stride)); }
//// a time loop that ends when the residual is small
//= jacobi <<<dim3(64, 64), dim3(16, 16)>>> nx = 1024 a[1048576]
template <int BX, int BY> __global__ void jacobi(float *a, const float *b, float *norm, int nx, int ny) { int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y; if (x < nx && y < ny) { a[y * nx + x] = b[y * nx + x]; norm[0] = 1; } }
template <typename T> T get_argval(char **begin, char **end, const std::string &arg, const T default_val) { T argval = default_val; char **itr = std::find(begin, end, arg); if (itr != end && ++itr != end) { std::istringstream inbuf(*itr); inbuf >> argval; } return argval; }
int main(int argc, char *argv[]) {
  const int iter_max = get_argval<int>(argv, argv + argc, "-niter", 1000); const int nx = 1024; const int ny = 1024; float *a, *a_new, *l2_norm_d; float *l2_norm_h; const float tol = 1.0e-6;
  CUDA_RT_CALL(cudaMalloc(&a, nx * ny * sizeof(float))); CUDA_RT_CALL(cudaMalloc(&a_new, nx * ny * sizeof(float))); CUDA_RT_CALL(cudaMalloc(&l2_norm_d, sizeof(float))); CUDA_RT_CALL(cudaMallocHost(&l2_norm_h, sizeof(float)));
  constexpr int dim_block_x = 16; constexpr int dim_block_y = 16; dim3 dim_grid((nx + dim_block_x - 1) / dim_block_x, (ny + dim_block_y - 1) / dim_block_y, 1);
  int iter = 0; float l2_norm = 1.0; while (l2_norm > tol && iter < iter_max) { jacobi<dim_block_x, dim_block_y><<<dim_grid, {dim_block_x, dim_block_y, 1}, 0, 0>>>(a_new, a, l2_norm_d, nx, ny); l2_norm = sqrt(*l2_norm_h); std::swap(a_new, a); iter++; }
}
