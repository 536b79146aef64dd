//// wrappers that hide the runtime
//= vadd <<<1024, 64>>> n = 65536 a[65536]
__global__ void vadd(const int *a, const int *b, int *c, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i] + b[i]; }
template <typename T> T *device_alloc(size_t count) { T *p = nullptr; if (cudaMalloc(reinterpret_cast<void **>(&p), count * sizeof(T)) != cudaSuccess) throw std::runtime_error("alloc"); return p; }
struct Queue { size_t local; void enqueue(size_t global, const int *a, const int *b, int *c) { vadd<<<global / local, local>>>(a, b, c, (int)global); } };
int main() { size_t global = 65536; Queue q; q.local = 64; int *a = device_alloc<int>(global), *b = device_alloc<int>(global), *c = device_alloc<int>(global); q.enqueue(global, a, b, c); }
//// passes of a transform: the stride doubles
//= fft_pass <<<512, 128>>> n = 65536 stride = 1 data[65536]
__global__ void fft_pass(float2 *data, int n, int stride) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i].x += stride; }
int main() { int logn = 16, n = 1 << logn; float2 *d; cudaMalloc((void **)&d, n * sizeof(float2)); for (int s = 0; s < logn; ++s) { int stride = 1 << s; fft_pass<<<n / 128, 128>>>(d, n, stride); } }
//// sort: nested loops of launches with pointers that trade places
//= bitonic <<<64, 512>>> j = 1 k = 2 values[32768]
#define THREADS 512
#define BLOCKS 64
#define NUM_VALS THREADS * BLOCKS
__global__ void bitonic(float *values, int j, int k) { unsigned i = threadIdx.x + blockDim.x * blockIdx.x, ixj = i ^ j; if (ixj > i && (i & k) == 0) values[i] = values[ixj]; }
void bitonic_sort(float *values) {
  float *dev_values; size_t size = NUM_VALS * sizeof(float); cudaMalloc((void **)&dev_values, size); cudaMemcpy(dev_values, values, size, cudaMemcpyHostToDevice);
  dim3 blocks(BLOCKS, 1); dim3 threads(THREADS, 1); int j, k;
  for (k = 2; k <= NUM_VALS; k <<= 1) { for (j = k >> 1; j > 0; j = j >> 1) { bitonic<<<blocks, threads>>>(dev_values, j, k); } }
}
int main(void) { clock_t start, stop; float *values = (float *)malloc(NUM_VALS * sizeof(float)); bitonic_sort(values); }
//// a reduction in rounds while the count shrinks
//= partial <<<4096, 256>>> n = 1048576 in[1048576]
__global__ void partial(const float *in, float *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[blockIdx.x] = in[i]; }
int main() { int n = 1024 * 1024; float *a, *b; cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, ((n + 255) / 256) * sizeof(float)); while (n > 1) { int blocks = (n + 255) / 256; partial<<<blocks, 256>>>(a, b, n); float *t = a; a = b; b = t; n = blocks; } }
//// images: a fixed frame, channels, a texture-like pitch by hand
//= gray <<<dim3(120, 68), dim3(16, 16)>>> rgb[6220800] w = 1920
__global__ void gray(const unsigned char *rgb, unsigned char *out, int w, int h) { int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y; if (x < w && y < h) out[y * w + x] = rgb[3 * (y * w + x)]; }
static inline int iDivUp(int a, int b) { return (a % b != 0) ? (a / b + 1) : (a / b); }
struct Image { int width, height, channels; std::vector<unsigned char> pixels; size_t bytes() const { return (size_t)width * height * channels; } };
int main(int argc, char **argv) { Image img; img.width = 1920; img.height = 1080; img.channels = 3; unsigned char *d_in, *d_out; cudaMalloc(&d_in, img.bytes()); cudaMalloc(&d_out, img.width * img.height); dim3 block(16, 16); dim3 grid(iDivUp(img.width, block.x), iDivUp(img.height, block.y)); gray<<<grid, block>>>(d_in, d_out, img.width, img.height); }
//// a file of numbers that is not there
//= spmv <<<2, 128>>> rows = 256 ptr[257] val[256]
__global__ void spmv(int rows, const int *ptr, const int *col, const float *val, const float *x, float *y) { int r = blockIdx.x * blockDim.x + threadIdx.x; if (r < rows) { float s = 0; for (int i = ptr[r]; i < ptr[r + 1]; i++) s += val[i] * x[col[i]]; y[r] = s; } }
int main(int argc, char **argv) {
  FILE *f = fopen("matrix.mtx", "r"); int rows, cols, nnz; if (!f) { fprintf(stderr, "no file\n"); return 1; } if (fscanf(f, "%d %d %d", &rows, &cols, &nnz) != 3) return 1;
  int *ptr, *col; float *val, *x, *y; cudaMalloc(&ptr, (rows + 1) * sizeof(int)); cudaMalloc(&col, nnz * sizeof(int)); cudaMalloc(&val, nnz * sizeof(float)); cudaMalloc(&x, cols * sizeof(float)); cudaMalloc(&y, rows * sizeof(float));
  int threads = 128; int blocks = rows / threads + (rows % threads != 0); spmv<<<blocks, threads>>>(rows, ptr, col, val, x, y);
}
//// a stream of input
//= scale <<<2, 128>>> n = 256 x[256]
__global__ void scale(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }
int main() { std::ifstream in("numbers.txt"); int n; in >> n; std::vector<float> h; h.resize(n); for (int i = 0; i < n; i++) in >> h[i]; float *x; cudaMalloc(&x, h.size() * sizeof(float)); scale<<<(n + 127) / 128, 128>>>(x, n); }
//// one kernel through a pointer to a function, with default arguments
//= copyK <<<157, 128>>> n = 20000 in[20000]
__global__ void copyK(const float *in, float *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i]; }
void bench(const char *title, void (*kernel)(const float *, float *, int), int n, int block = 256) { float *in, *out; cudaMalloc(&in, n * sizeof(float)); cudaMalloc(&out, n * sizeof(float)); int grid = (n - 1) / block + 1; kernel<<<grid, block>>>(in, out, n); }
int main() { bench("copy", copyK, 10001); bench("copy", &copyK, 20000, 128); }
//// a cluster of constants: enum, constexpr function, static member
//= tile <<<dim3(4, 8, 2), dim3(32, 4, 2)>>> nz = 4
struct Shape { static const int X = 32; static constexpr int Y = 4; enum { Z = 2 }; };
constexpr int blocks(int n, int b) { return (n + b - 1) / b; }
__global__ void tile(float *a, int nx, int ny, int nz) { int x = blockIdx.x * Shape::X + threadIdx.x; if (x < nx) a[x] = ny + nz; }
int main() { const int nx = 128, ny = 32, nz = 4; float *a; cudaMalloc((void **)&a, nx * ny * nz * sizeof(float)); tile<<<dim3(blocks(nx, Shape::X), blocks(ny, Shape::Y), blocks(nz, Shape::Z)), dim3(Shape::X, Shape::Y, Shape::Z)>>>(a, nx, ny, nz); }
//// launches counted per device, a map of parameters
//= part <<<128, 256>>> n = 32768
struct Plan { int device; int dataN; float *d_Data; float *h_Data; cudaStream_t stream; };
const int MAX_GPU_COUNT = 32; const int DATA_N = 1048576 * 32 / 1024;
__global__ void part(float *d, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) d[i] = i; }
int main(int argc, char **argv) {
  Plan plan[MAX_GPU_COUNT]; int i, gpuBase, GPU_N; const int THREAD_N = 256;
  checkCudaErrors(cudaGetDeviceCount(&GPU_N)); if (GPU_N > MAX_GPU_COUNT) { GPU_N = MAX_GPU_COUNT; }
  for (i = 0; i < GPU_N; i++) { plan[i].dataN = DATA_N / GPU_N; }
  for (i = 0; i < DATA_N % GPU_N; i++) { plan[i].dataN++; }
  for (i = 0; i < GPU_N; i++) { checkCudaErrors(cudaSetDevice(i)); checkCudaErrors(cudaStreamCreate(&plan[i].stream)); checkCudaErrors(cudaMalloc((void **)&plan[i].d_Data, plan[i].dataN * sizeof(float))); }
  for (i = 0; i < GPU_N; i++) { part<<<(plan[i].dataN + THREAD_N - 1) / THREAD_N, THREAD_N, 0, plan[i].stream>>>(plan[i].d_Data, plan[i].dataN); }
}
//// cooperative launch by address, the grid from occupancy
//= cgReduce <<<64, 256>>> n = 1048576
__global__ void cgReduce(const float *in, float *out, unsigned n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[blockIdx.x] = in[i]; }
int main() {
  cudaDeviceProp prop = {0}; cudaGetDeviceProperties(&prop, 0); unsigned n = 1 << 20; float *in, *out; int numBlocksPerSm = 0, numThreads = 256;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocksPerSm, cgReduce, numThreads, 0); int numBlocks = prop.multiProcessorCount * numBlocksPerSm; if (numBlocks > 64) numBlocks = 64;
  cudaMalloc(&in, n * sizeof(float)); cudaMalloc(&out, numBlocks * sizeof(float)); void *kernelArgs[] = { (void *)&in, (void *)&out, (void *)&n }; dim3 dimBlock(numThreads, 1, 1), dimGrid(numBlocks, 1, 1);
  cudaLaunchCooperativeKernel((void *)cgReduce, dimGrid, dimBlock, kernelArgs, 0, NULL);
}
//// sizes computed with powers and logarithms
//= level <<<64, 256>>> n = 16384 depth = 0
__global__ void level(int *tree, int n, int depth) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) tree[i] = depth; }
int main() { int n = (int)pow(2.0, 14); int levels = (int)(log(n) / log(2)); int *t; cudaMalloc(&t, sizeof(int) * 2 * n); int threads = std::min(256, n), blocks = std::max(1, n / threads); for (int d = 0; d < levels; d++) level<<<blocks, threads>>>(t, n, d); }
