//// matrix product: macros, a double cast inside ceil, arrays from main
//= mm2_kernel1 <<<dim3(64, 256), dim3(32, 8)>>> A[4194304] tmp[4194304] alpha = 1
#define NI 2048
#define NJ 2048
#define NK 2048
#define DIM_THREAD_BLOCK_X 32
#define DIM_THREAD_BLOCK_Y 8
#define GPU_DEVICE 0
typedef float DATA_TYPE;
__global__ void mm2_kernel1(DATA_TYPE *A, DATA_TYPE *B, DATA_TYPE *tmp, DATA_TYPE alpha) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < NI && j < NJ) for (int k = 0; k < NK; k++) tmp[i * NJ + j] += alpha * A[i * NK + k] * B[k * NJ + j];
}
void GPU_argv_init() { cudaDeviceProp deviceProp; cudaGetDeviceProperties(&deviceProp, GPU_DEVICE); printf("%s\n", deviceProp.name); cudaSetDevice(GPU_DEVICE); }
void mm2Cuda(DATA_TYPE *A, DATA_TYPE *B, DATA_TYPE *tmp) {
  double t_start, t_end;
  DATA_TYPE *A_gpu, *B_gpu, *tmp_gpu;
  cudaMalloc((void **)&A_gpu, sizeof(DATA_TYPE) * NI * NK);
  cudaMalloc((void **)&B_gpu, sizeof(DATA_TYPE) * NK * NJ);
  cudaMalloc((void **)&tmp_gpu, sizeof(DATA_TYPE) * NI * NJ);
  dim3 block(DIM_THREAD_BLOCK_X, DIM_THREAD_BLOCK_Y);
  dim3 grid1((size_t)ceil(((float)NJ) / ((float)block.x)), (size_t)ceil(((float)NI) / ((float)block.y)));
  t_start = rtclock();
  mm2_kernel1<<<grid1, block>>>(A_gpu, B_gpu, tmp_gpu, 1.0f);
  cudaThreadSynchronize();
  t_end = rtclock();
  fprintf(stdout, "GPU Runtime: %0.6lfs\n", t_end - t_start);
}
int main(int argc, char **argv) {
  DATA_TYPE *A = (DATA_TYPE *)malloc(NI * NK * sizeof(DATA_TYPE)), *B = (DATA_TYPE *)malloc(NK * NJ * sizeof(DATA_TYPE)), *C;
  C = (DATA_TYPE *)malloc(NI * NJ * sizeof(DATA_TYPE));
  GPU_argv_init(); mm2Cuda(A, B, C); free(A); return 0;
}
//// two passes over one matrix: a vector for each, a one-dimensional block
//= atax_kernel1 <<<16, 256>>> A[16777216] x[4096] tmp[4096]
//= atax_kernel2 <<<16, 256>>> y[4096]
#define NX 4096
#define NY 4096
#define DIM_THREAD_BLOCK_X 256
#define DIM_THREAD_BLOCK_Y 1
__global__ void atax_kernel1(float *A, float *x, float *tmp) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < NX) for (int j = 0; j < NY; j++) tmp[i] += A[i * NY + j] * x[j]; }
__global__ void atax_kernel2(float *A, float *y, float *tmp) { int j = blockIdx.x * blockDim.x + threadIdx.x; if (j < NY) for (int i = 0; i < NX; i++) y[j] += A[i * NY + j] * tmp[i]; }
void ataxGpu(float *A, float *x, float *y, float *tmp) {
  float *A_gpu, *x_gpu, *y_gpu, *tmp_gpu;
  cudaMalloc((void **)&A_gpu, sizeof(float) * NX * NY);
  cudaMalloc((void **)&x_gpu, sizeof(float) * NY); cudaMalloc((void **)&y_gpu, sizeof(float) * NY); cudaMalloc((void **)&tmp_gpu, sizeof(float) * NX);
  dim3 block(DIM_THREAD_BLOCK_X, DIM_THREAD_BLOCK_Y);
  dim3 grid1((size_t)(ceil(((float)NX) / ((float)block.x))), 1), grid2((size_t)(ceil(((float)NY) / ((float)block.x))), 1);
  atax_kernel1<<<grid1, block>>>(A_gpu, x_gpu, tmp_gpu); cudaThreadSynchronize();
  atax_kernel2<<<grid2, block>>>(A_gpu, y_gpu, tmp_gpu); cudaThreadSynchronize();
}
int main() { float *A, *x, *y, *tmp; A = (float *)malloc(NX * NY * sizeof(float)); x = (float *)malloc(NY * sizeof(float)); ataxGpu(A, x, y, tmp); return 0; }
//// a stencil whose host loop starts two kernels with swapped arrays
//= step1 <<<dim3(32, 125), dim3(32, 8)>>> A[1000000] n = 1000
//= step2 <<<dim3(32, 125), dim3(32, 8)>>> B[1000000]
#define N 1000
#define TSTEPS 20
#define POLYBENCH_2D_ARRAY_DECL(VAR, TYPE, D1, D2, S1, S2) TYPE (*VAR)[S1][S2] = (TYPE (*)[S1][S2])polybench_alloc_data((S1) * (S2), sizeof(TYPE))
#define POLYBENCH_ARRAY(x) *x
#define DATA_TYPE float
__global__ void step1(int n, DATA_TYPE *A, DATA_TYPE *B) { int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x; if (i >= 1 && i < n - 1 && j >= 1 && j < n - 1) B[i * N + j] = 0.2f * A[i * N + j]; }
__global__ void step2(int n, DATA_TYPE *A, DATA_TYPE *B) { int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x; if (i < n && j < n) A[i * N + j] = B[i * N + j]; }
void runJacobi2DCUDA(int tsteps, int n, DATA_TYPE A[N][N], DATA_TYPE B[N][N]) {
  DATA_TYPE *Agpu; DATA_TYPE *Bgpu;
  cudaMalloc(&Agpu, N * N * sizeof(DATA_TYPE)); cudaMalloc(&Bgpu, N * N * sizeof(DATA_TYPE));
  cudaMemcpy(Agpu, A, N * N * sizeof(DATA_TYPE), cudaMemcpyHostToDevice);
  dim3 block(32, 8);
  dim3 grid((unsigned int)ceil(((float)N) / ((float)block.x)), (unsigned int)ceil(((float)N) / ((float)block.y)));
  polybench_start_instruments;
  for (int t = 0; t < TSTEPS; t++) { step1<<<grid, block>>>(n, Agpu, Bgpu); cudaThreadSynchronize(); step2<<<grid, block>>>(n, Agpu, Bgpu); cudaThreadSynchronize(); }
  polybench_stop_instruments;
}
int main(int argc, char **argv) {
  int n = N, tsteps = TSTEPS;
  POLYBENCH_2D_ARRAY_DECL(a, DATA_TYPE, N, N, n, n); POLYBENCH_2D_ARRAY_DECL(b, DATA_TYPE, N, N, n, n);
  runJacobi2DCUDA(tsteps, n, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b));
  return 0;
}
//// a three-dimensional convolution: the plane is an argument of each launch
//= convolution3D_kernel <<<dim3(8, 32), dim3(32, 8)>>> A[16777216] i = 1
#define NI 256
#define NJ 256
#define NK 256
__global__ void convolution3D_kernel(float *A, float *B, int i) { int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y; if (i < NI - 1 && j < NJ - 1 && k < NK - 1 && i > 0 && j > 0 && k > 0) B[i * NK * NJ + j * NK + k] = A[(i - 1) * NK * NJ + j * NK + k]; }
void convolution3DCuda(float *A, float *B) {
  float *A_gpu, *B_gpu; int i;
  cudaMalloc((void **)&A_gpu, sizeof(float) * NI * NJ * NK); cudaMalloc((void **)&B_gpu, sizeof(float) * NI * NJ * NK);
  dim3 block(32, 8); dim3 grid((size_t)(ceil(((float)NK) / ((float)block.x))), (size_t)(ceil(((float)NJ) / ((float)block.y))));
  for (i = 1; i < NI - 1; ++i) convolution3D_kernel<<<grid, block>>>(A_gpu, B_gpu, i);
  cudaThreadSynchronize();
}
int main() { convolution3DCuda(0, 0); return 0; }
