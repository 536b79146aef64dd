//// dense product: sizes from a matrix file, a wrapper that launches
//= mysgemmNT <<<dim3(2, 16), dim3(16, 8)>>> A[65536] lda = 256 k = 256 alpha = 1
#define TILE_N 16
#define TILE_TB_HEIGHT 8
#define TILE_M (TILE_N * TILE_TB_HEIGHT)
__global__ void mysgemmNT(const float *A, int lda, const float *B, int ldb, float *C, int ldc, int k, float alpha, float beta) { int m = blockIdx.x * TILE_M + threadIdx.x, n = blockIdx.y * TILE_N; C[m + n * ldc] = beta * C[m + n * ldc] + alpha * A[m] * B[n]; }
void regtileSgemm(char transa, char transb, int m, int n, int k, float alpha, const float *A, int lda, const float *B, int ldb, float beta, float *C, int ldc) {
  if ((transa != 'N') && (transa != 'n')) { std::cerr << "unsupported value of 'transa'" << std::endl; return; }
  if ((m % TILE_M) || (n % TILE_N)) { std::cerr << "unsupported size of matrix" << std::endl; return; }
  dim3 grid(m / TILE_M, n / TILE_N), threads(TILE_N, TILE_TB_HEIGHT);
  mysgemmNT<<<grid, threads>>>(A, lda, B, ldb, C, ldc, k, alpha, beta); CHECK_ERROR("mySgemm");
}
int main(int argc, char *argv[]) {
  struct pb_Parameters *params; struct pb_TimerSet timers; float *dA, *dB, *dC;
  size_t A_sz, B_sz, C_sz; int matArow, matAcol; int matBrow, matBcol; std::vector<float> matA, matBT;
  pb_InitializeTimerSet(&timers); params = pb_ReadParameters(&argc, argv);
  if ((params->inpFiles[0] == NULL)) { fprintf(stderr, "Expecting three input filenames\n"); exit(-1); }
  readColMajorMatrixFile(params->inpFiles[0], matArow, matAcol, matA);
  readColMajorMatrixFile(params->inpFiles[2], matBcol, matBrow, matBT);
  A_sz = matArow * matAcol * sizeof(float); B_sz = matBrow * matBcol * sizeof(float); C_sz = matArow * matBcol * sizeof(float);
  std::vector<float> matC(matArow * matBcol);
  cudaMalloc((void **)&dA, A_sz); cudaMalloc((void **)&dB, B_sz); cudaMalloc((void **)&dC, C_sz);
  regtileSgemm('N', 'T', matArow, matBcol, matAcol, 1.0f, dA, matArow, dB, matBcol, 0.0f, dC, matArow);
}
bool readColMajorMatrixFile(const char *fn, int &nr_row, int &nr_col, std::vector<float> &v) { std::fstream f(fn, std::fstream::in); if (!f.good()) { return false; } f >> nr_row; f >> nr_col; return true; }
//// a stencil with sizes as arguments of the program
//= naive_kernel <<<dim3(2, 254), 256>>> A0[16777216] nx = 256
__global__ void naive_kernel(float c0, float c1, float *A0, float *Anext, int nx, int ny, int nz) { int i = threadIdx.x + 1, j = blockIdx.x + 1, k = blockIdx.y + 1; if (i < nx - 1) Anext[i + nx * (j + ny * k)] = c0 * A0[i + nx * (j + ny * k)] - c1; }
static int read_data(float *A0, int nx, int ny, int nz, FILE *fp) { int s = 0; for (int i = 0; i < nz; i++) for (int j = 0; j < ny; j++) for (int k = 0; k < nx; k++) { fread(A0 + s, sizeof(float), 1, fp); s++; } return 0; }
int main(int argc, char **argv) {
  struct pb_Parameters *parameters; int nx, ny, nz, size, iteration; float c0 = 1.0f / 6.0f, c1 = 1.0f / 6.0f / 6.0f;
  parameters = pb_ReadParameters(&argc, argv);
  if (argc < 5) { printf("Usage: probe nx ny nz tx ty t\n"); return -1; }
  nx = atoi(argv[1]); if (nx < 1) return -1;
  ny = atoi(argv[2]); if (ny < 1) return -1;
  nz = atoi(argv[3]); if (nz < 1) return -1;
  iteration = atoi(argv[4]); if (iteration < 1) return -1;
  float *d_A0, *d_Anext; size = nx * ny * nz; float *h_A0 = (float *)malloc(sizeof(float) * size);
  FILE *fp = fopen(parameters->inpFiles[0], "rb"); read_data(h_A0, nx, ny, nz, fp); fclose(fp);
  cudaMalloc((void **)&d_A0, size * sizeof(float)); cudaMalloc((void **)&d_Anext, size * sizeof(float)); cudaMemset(d_Anext, 0, size * sizeof(float));
  dim3 block(256, 1, 1); dim3 grid(2, nz - 2, 1);
  for (int t = 0; t < iteration; t++) { naive_kernel<<<grid, block>>>(c0, c1, d_A0, d_Anext, nx, ny, nz); float *d_temp = d_A0; d_A0 = d_Anext; d_Anext = d_temp; }
}
//// a lattice: a macro grid, offsets into padded arrays, types from a header of macros
//= performStreamCollide_kernel <<<dim3(120, 150), 120>>> srcGrid = srcGrid_all + 28992
#define SIZE_X (120)
#define SIZE_Y (120)
#define SIZE_Z (150)
#define PADDING_X (8)
#define PADDED_X (SIZE_X + PADDING_X)
#define MARGIN (PADDED_X * SIZE_Y)
#define TOTAL_CELLS (SIZE_X * SIZE_Y * SIZE_Z)
#define TOTAL_PADDED_CELLS (PADDED_X * SIZE_Y * SIZE_Z)
#define TOTAL_MARGIN (2 * PADDED_X * SIZE_Y)
#define N_CELL_ENTRIES 20
#define REAL_MARGIN 28992
typedef float LBM_Grid[TOTAL_PADDED_CELLS * N_CELL_ENTRIES];
typedef float *LBM_GridPtr;
__global__ void performStreamCollide_kernel(float *srcGrid, float *dstGrid) { int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y; dstGrid[x + PADDED_X * (y + SIZE_Y * z)] = srcGrid[x + PADDED_X * (y + SIZE_Y * z)]; }
void CUDA_LBM_performStreamCollide(LBM_GridPtr srcGrid, LBM_GridPtr dstGrid) { dim3 dimBlock, dimGrid; dimBlock.x = SIZE_X; dimGrid.x = SIZE_Y; dimGrid.y = SIZE_Z; dimBlock.y = dimBlock.z = dimGrid.z = 1; performStreamCollide_kernel<<<dimGrid, dimBlock>>>(srcGrid, dstGrid); CUDA_ERRCK; }
void CUDA_LBM_allocateGrid(float **ptr) { const size_t size = TOTAL_PADDED_CELLS * N_CELL_ENTRIES * sizeof(float) + 2 * REAL_MARGIN * sizeof(float); cudaMalloc((void **)ptr, size); CUDA_ERRCK; *ptr += REAL_MARGIN; }
static LBM_GridPtr CUDA_srcGrid, CUDA_dstGrid;
void MAIN_initialize() { CUDA_LBM_allocateGrid((float **)&CUDA_srcGrid); CUDA_LBM_allocateGrid((float **)&CUDA_dstGrid); }
int main(int nArgs, char *arg[]) { int t; MAIN_initialize(); for (t = 1; t <= 100; t++) { CUDA_LBM_performStreamCollide(CUDA_srcGrid, CUDA_dstGrid); LBM_swapGrids(&CUDA_srcGrid, &CUDA_dstGrid); } return 0; }
