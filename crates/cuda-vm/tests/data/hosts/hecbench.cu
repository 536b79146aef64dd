//// arguments of the program are counts, errors end it, a repeat loop
//= adam <<<40, 256>>> p[10240] vector_size = 10240 time_step = 200
template <typename T, typename G> __global__ void adam(T *p, T *m, G *g, float b1, size_t vector_size, int time_step) { const size_t i = blockIdx.x * blockDim.x + threadIdx.x; if (i < vector_size) p[i] += b1 * m[i] * g[i]; }
int main(int argc, char *argv[]) {
  if (argc != 4) { printf("Usage: %s <vector size> <number of time steps> <repeat>\n", argv[0]); return 1; }
  const int vector_size = 10240; const int time_step = 200; const int repeat = atoi(argv[3]); size_t size_bytes = vector_size * sizeof(float);
  float *m = (float *)malloc(size_bytes); srand(123); for (int i = 0; i < vector_size; i++) { m[i] = rand() / (float)RAND_MAX; }
  float *d_m, *d_p, *d_g; GPU_CHECK(cudaMalloc((void **)&d_m, size_bytes)); GPU_CHECK(cudaMalloc((void **)&d_g, size_bytes)); GPU_CHECK(cudaMalloc((void **)&d_p, size_bytes));
  const int threadsPerBlock = 256; const dim3 grids((vector_size + threadsPerBlock - 1) / threadsPerBlock); const dim3 blocks(threadsPerBlock);
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < repeat; i++) { adam<float, float><<<grids, blocks>>>(d_p, d_m, d_g, 0.9f, vector_size, time_step); }
  auto end = std::chrono::steady_clock::now(); auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(end - start).count();
}
//// sizes from the command line
//= transposeT <<<dim3(8, 8), dim3(32, 8)>>> width = 256 in[65536]
#define TILE 32
#define ROWS 8
__global__ void transposeT(float *out, const float *in, const int width, const int height) { __shared__ float t[TILE][TILE + 1]; int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y; for (int j = 0; j < TILE; j += ROWS) t[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x]; out[y * height + x] = t[threadIdx.x][threadIdx.y]; }
int main(int argc, char **argv) {
  if (argc != 4) { std::cout << "Usage: " << argv[0] << " <width> <height> <repeat>" << std::endl; return 1; }
  const int width = atoi(argv[1]); const int height = atoi(argv[2]); const int repeat = std::stoi(argv[3]);
  std::vector<float> h_in(width * height); std::iota(h_in.begin(), h_in.end(), 0.f);
  float *d_in, *d_out; const size_t bytes = h_in.size() * sizeof(float); cudaMalloc((void **)&d_in, bytes); cudaMalloc((void **)&d_out, bytes);
  cudaMemcpy(d_in, h_in.data(), bytes, cudaMemcpyHostToDevice);
  dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE); dim3 block(TILE, ROWS);
  for (int n = 0; n < repeat; ++n) transposeT<<<grid, block>>>(d_out, d_in, width, height);
  cudaDeviceSynchronize();
}
//// HIP's launch macro
//= saxpy <<<256, 256>>> n = 65536 x[65536]
#include <hip/hip_runtime.h>
#define THREADS 256
__global__ void saxpy(int n, float a, const float *x, float *y) { int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x; if (i < n) y[i] += a * x[i]; }
int main() {
  const int n = 1 << 16; float *d_x, *d_y; hipMalloc((void **)&d_x, n * sizeof(float)); hipMalloc((void **)&d_y, n * sizeof(float));
  hipLaunchKernelGGL(saxpy, dim3(n / THREADS), dim3(THREADS), 0, 0, n, 2.0f, d_x, d_y); hipDeviceSynchronize(); return 0;
}
//// a struct of parameters, made by a function
//= update <<<dim3(20, 15), dim3(16, 16)>>> nx = 320 ny = 240 u[76800]
struct Config { int nx, ny; float dt; int steps; bool verbose; };
Config parse(int argc, char **argv) { Config c; c.nx = 320; c.ny = 240; c.dt = 0.1f; c.steps = 10; c.verbose = false; for (int i = 1; i < argc; i++) { if (!strcmp(argv[i], "-nx")) c.nx = atoi(argv[++i]); else if (!strcmp(argv[i], "-v")) c.verbose = true; } return c; }
__global__ void update(float *u, float *v, int nx, int ny, float dt) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x < nx && y < ny) v[y * nx + x] = u[y * nx + x] * dt; }
int main(int argc, char **argv) {
  Config cfg = parse(argc, argv); const size_t n = (size_t)cfg.nx * cfg.ny; float *u, *v; cudaMalloc(&u, n * sizeof *u); cudaMalloc(&v, n * sizeof(*v));
  dim3 b{16, 16}; dim3 g{(unsigned)(cfg.nx + b.x - 1) / b.x, (unsigned)(cfg.ny + b.y - 1) / b.y, 1};
  for (int s = 0; s < cfg.steps; ++s) { update<<<g, b>>>(u, v, cfg.nx, cfg.ny, cfg.dt); std::swap(u, v); }
}
//// a class with members for the device's arrays
//= relax <<<79, 128>>> n = 10000 a[10000]
__global__ void relax(double *a, const double *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 0.5 * b[i]; }
class Solver {
 public:
  explicit Solver(int n) : n_(n), threads_(128) { cudaMalloc(&a_, n_ * sizeof(double)); cudaMalloc(&b_, n_ * sizeof(double)); }
  ~Solver() { cudaFree(a_); cudaFree(b_); }
  void run(int steps) { const int blocks = (n_ + threads_ - 1) / threads_; for (int i = 0; i < steps; ++i) { relax<<<blocks, threads_>>>(a_, b_, n_); } }
 private:
  int n_; int threads_; double *a_; double *b_;
};
int main() { Solver solver(10000); solver.run(50); return 0; }
//// a class in parts: the method's body stands outside
//= gather <<<16, 64>>> count = 1000 in[4096]
__global__ void gather(int *out, const int *in, int count) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < count) out[i] = in[i]; }
class Pipeline { int count; size_t capacity; int *in, *out; public: void allocate(int n); void launch(); };
void Pipeline::allocate(int n) { count = n; capacity = 4096; cudaMalloc(&in, capacity * sizeof(int)); cudaMalloc(&out, capacity * sizeof(int)); }
void Pipeline::launch() { dim3 block(64); dim3 grid((count + block.x - 1) / block.x); gather<<<grid, block>>>(out, in, count); }
int main() { Pipeline p; p.allocate(1000); p.launch(); }
//// a lambda launches, an array of sizes decides
//= fill <<<128, 128>>> n = 16384 x[16384]
__global__ void fill(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = 1; }
int main() {
  constexpr int kBlock = 128; const int sizes[] = { 1024, 4096, 16384 };
  for (int s : sizes) { float *x; cudaMalloc(&x, s * sizeof(float)); auto launch = [&](int n) { fill<<<(n + kBlock - 1) / kBlock, kBlock>>>(x, n); }; launch(s); cudaFree(x); }
}
//// thrust's vectors, a raw pointer, an explicit template argument
//= histogram <<<240, 192>>> bins[256] n = 4194304 data[4194304]
template <typename T, int BINS> __global__ void histogram(const T *data, unsigned *bins, size_t n) { for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[data[i] % BINS], 1u); }
int main() {
  const size_t n = size_t(1) << 22; thrust::host_vector<unsigned char> h(n); thrust::device_vector<unsigned char> d = h; thrust::device_vector<unsigned> bins(256, 0);
  const unsigned char *data = thrust::raw_pointer_cast(d.data()); unsigned *raw = thrust::raw_pointer_cast(&bins[0]);
  histogram<unsigned char, 256><<<240, 192>>>(data, raw, d.size()); cudaDeviceSynchronize();
}
//// launched by its address
//= stage <<<16, 256, 1024>>> n = 4096 x[4096]
__global__ void stage(float *x, int n) { extern __shared__ float s[]; int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { s[threadIdx.x] = x[i]; x[i] = s[threadIdx.x] + 1; } }
int main() {
  int n = 4096; float *x; cudaMalloc((void **)&x, n * sizeof(float)); void *args[] = { (void *)&x, (void *)&n }; dim3 g(n / 256, 1, 1), b(256, 1, 1);
  cudaError_t e = cudaLaunchKernel((const void *)stage, g, b, args, 256 * sizeof(float), 0); return e != cudaSuccess;
}
//// a chain of else-ifs over the block's shape
//= conv <<<dim3(64, 32), dim3(8, 16)>>> w = 512 radius = 3
template <int BX, int BY> __global__ void conv(const float *in, float *out, int w, int h, int radius) { int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y; if (x < w && y < h) out[y * w + x] = in[y * w + x] * radius; }
#define LAUNCH(BX, BY) conv<BX, BY><<<dim3((w + BX - 1) / BX, (h + BY - 1) / BY), dim3(BX, BY)>>>(in, out, w, h, r)
void dispatch(int mode, const float *in, float *out, int w, int h, int r) { if (mode == 0) { LAUNCH(32, 4); } else if (mode == 1) { LAUNCH(8, 16); } else { LAUNCH(16, 16); } }
int main(int argc, char **argv) { int w = 512, h = 512, mode = 1; float *in, *out; size_t bytes = w * h * sizeof(float); if (cudaMalloc(&in, bytes) != cudaSuccess || cudaMalloc(&out, bytes) != cudaSuccess) return -1; dispatch(argc > 1 ? atoi(argv[1]) : mode, in, out, w, h, 3); }
