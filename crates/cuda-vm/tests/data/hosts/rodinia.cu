//// breadth-first search: the graph comes from a file, the loop ends by a flag of the device
//= Kernel <<<1, 256>>> g_graph_mask[256] no_of_nodes = 256
//= Kernel2 <<<1, 256>>> g_over[1]
#define MAX_THREADS_PER_BLOCK 512
struct Node { int starting; int no_of_edges; };
__global__ void Kernel(Node *g_graph_nodes, bool *g_graph_mask, int no_of_nodes) { int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x; if (tid < no_of_nodes && g_graph_mask[tid]) g_graph_mask[tid] = g_graph_nodes[tid].starting; }
__global__ void Kernel2(bool *g_graph_mask, bool *g_over, int no_of_nodes) { int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x; if (tid < no_of_nodes && g_graph_mask[tid]) *g_over = true; }
int no_of_nodes; FILE *fp;
void Usage(int argc, char **argv) { fprintf(stderr, "Usage: %s <input_file>\n", argv[0]); }
void BFSGraph(int argc, char **argv) {
  char *input_f;
  if (argc != 2) { Usage(argc, argv); exit(0); }
  input_f = argv[1];
  fp = fopen(input_f, "r");
  if (!fp) { printf("Error Reading graph file\n"); return; }
  int source = 0;
  fscanf(fp, "%d", &no_of_nodes);
  int num_of_blocks = 1; int num_of_threads_per_block = no_of_nodes;
  if (no_of_nodes > MAX_THREADS_PER_BLOCK) { num_of_blocks = (int)ceil(no_of_nodes / (double)MAX_THREADS_PER_BLOCK); num_of_threads_per_block = MAX_THREADS_PER_BLOCK; }
  Node *d_graph_nodes; cudaMalloc((void **)&d_graph_nodes, sizeof(Node) * no_of_nodes);
  bool *d_graph_mask; cudaMalloc((void **)&d_graph_mask, sizeof(bool) * no_of_nodes);
  bool stop; bool *d_over; cudaMalloc((void **)&d_over, sizeof(bool));
  dim3 grid(num_of_blocks, 1, 1); dim3 threads(num_of_threads_per_block, 1, 1);
  int k = 0;
  do {
    stop = false; cudaMemcpy(d_over, &stop, sizeof(bool), cudaMemcpyHostToDevice);
    Kernel<<<grid, threads, 0>>>(d_graph_nodes, d_graph_mask, no_of_nodes);
    Kernel2<<<grid, threads, 0>>>(d_graph_mask, d_over, no_of_nodes);
    cudaMemcpy(&stop, d_over, sizeof(bool), cudaMemcpyDeviceToHost);
    k++;
  } while (stop);
}
int main(int argc, char **argv) { no_of_nodes = 0; BFSGraph(argc, argv); }
//// LU decomposition: an option for the size, a shrinking grid
//= lud_diagonal <<<1, 16>>> m[4096] matrix_dim = 64 offset = 0
//= lud_perimeter <<<3, 32>>> offset = 0
//= lud_internal <<<dim3(3, 3), dim3(16, 16)>>> offset = 0
#define BLOCK_SIZE 16
__global__ void lud_diagonal(float *m, int matrix_dim, int offset) { m[(offset + threadIdx.x) * matrix_dim + offset] = 1; }
__global__ void lud_perimeter(float *m, int matrix_dim, int offset) { m[(offset + threadIdx.x) * matrix_dim + offset] = 1; }
__global__ void lud_internal(float *m, int matrix_dim, int offset) { m[(offset + threadIdx.y) * matrix_dim + offset + threadIdx.x] = 1; }
void lud_cuda(float *m, int matrix_dim) {
  int i = 0; dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE);
  for (i = 0; i < matrix_dim - BLOCK_SIZE; i += BLOCK_SIZE) {
    lud_diagonal<<<1, BLOCK_SIZE>>>(m, matrix_dim, i);
    lud_perimeter<<<(matrix_dim - i) / BLOCK_SIZE - 1, BLOCK_SIZE * 2>>>(m, matrix_dim, i);
    dim3 dimGrid((matrix_dim - i) / BLOCK_SIZE - 1, (matrix_dim - i) / BLOCK_SIZE - 1);
    lud_internal<<<dimGrid, dimBlock>>>(m, matrix_dim, i);
  }
  lud_diagonal<<<1, BLOCK_SIZE>>>(m, matrix_dim, i);
}
static struct option long_options[] = { {"input", 1, NULL, 'i'}, {"size", 1, NULL, 's'}, {0, 0, 0, 0} };
int main(int argc, char *argv[]) {
  int matrix_dim = 64; int opt, option_index = 0; func_ret_t ret; const char *input_file = NULL; float *m, *d_m;
  while ((opt = getopt_long(argc, argv, "::vs:i:", long_options, &option_index)) != -1) {
    switch (opt) { case 'i': input_file = optarg; break; case 's': matrix_dim = atoi(optarg); break; default: exit(EXIT_FAILURE); }
  }
  if ((optind < argc) || (optind == 1)) { fprintf(stderr, "Usage\n"); exit(EXIT_FAILURE); }
  cudaMalloc((void **)&d_m, matrix_dim * matrix_dim * sizeof(float));
  cudaMemcpy(d_m, m, matrix_dim * matrix_dim * sizeof(float), cudaMemcpyHostToDevice);
  lud_cuda(d_m, matrix_dim);
  return EXIT_SUCCESS;
}
//// Gaussian elimination: global sizes, one launch pair per column
//= Fan1 <<<1, 512>>> m_cuda[65536] Size = 256 t = 0
//= Fan2 <<<dim3(64, 64), dim3(4, 4)>>> j1 = 256
#define MAXBLOCKSIZE 512
#define BLOCK_SIZE_XY 4
int Size; float *a, *b, *finalVec; float *m;
__global__ void Fan1(float *m_cuda, float *a_cuda, int Size, int t) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i >= Size - 1 - t) return; m_cuda[Size * (i + t + 1) + t] = a_cuda[Size * (i + t + 1) + t] / a_cuda[Size * t + t]; }
__global__ void Fan2(float *m_cuda, float *a_cuda, int Size, int j1, int t) { int x = blockIdx.x * blockDim.x + threadIdx.x; if (x < Size) a_cuda[x] = m_cuda[x]; }
void ForwardSub() {
  int t; float *m_cuda, *a_cuda;
  cudaMalloc((void **)&m_cuda, Size * Size * sizeof(float));
  cudaMalloc((void **)&a_cuda, Size * Size * sizeof(float));
  int block_size, grid_size; block_size = MAXBLOCKSIZE;
  grid_size = (Size / block_size) + (!(Size % block_size) ? 0 : 1);
  dim3 dimBlock(block_size); dim3 dimGrid(grid_size);
  int blockSize2d, gridSize2d; blockSize2d = BLOCK_SIZE_XY;
  gridSize2d = (Size / blockSize2d) + (!(Size % blockSize2d ? 0 : 1));
  gridSize2d = (Size + blockSize2d - 1) / blockSize2d;
  dim3 dimBlockXY(blockSize2d, blockSize2d), dimGridXY(gridSize2d, gridSize2d);
  for (t = 0; t < (Size - 1); t++) {
    Fan1<<<dimGrid, dimBlock>>>(m_cuda, a_cuda, Size, t); cudaThreadSynchronize();
    Fan2<<<dimGridXY, dimBlockXY>>>(m_cuda, a_cuda, Size, Size - t, t); cudaThreadSynchronize(); checkCUDAError("Fan2");
  }
}
int main(int argc, char *argv[]) {
  int i;
  if (argc < 2) { printf("Usage: gaussian -f filename / -s size\n"); exit(0); }
  for (i = 1; i < argc; i++) { if (argv[i][0] == '-') { switch (argv[i][1]) { case 's': i++; Size = atoi(argv[i]); break; } } }
  Size = atoi(argv[2]);
  a = (float *)malloc(Size * Size * sizeof(float));
  ForwardSub();
}
//// a path through rows: globals set by an init function, arithmetic with a border
//= dynproc_kernel <<<463, 256>>> iteration = 20 gpuWall[9900000] gpuSrc[100000] cols = 100000 border = 20
#define BLOCK_SIZE 256
#define HALO 1
#define M_SEED 9
#define MIN(a, b) ((a) <= (b) ? (a) : (b))
int rows, cols; int *data; int **wall; int *result; int pyramid_height;
__global__ void dynproc_kernel(int iteration, int *gpuWall, int *gpuSrc, int *gpuResults, int cols, int rows, int startStep, int border) { int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; if (i < cols) gpuResults[i] = gpuSrc[i] + gpuWall[i]; }
void init(int argc, char **argv) {
  if (argc == 4) { cols = atoi(argv[1]); rows = atoi(argv[2]); pyramid_height = atoi(argv[3]); }
  else { printf("Usage: dynproc row_len col_len pyramid_height\n"); cols = 100000; rows = 100; pyramid_height = 20; }
  data = new int[rows * cols]; wall = new int *[rows];
  for (int n = 0; n < rows; n++) wall[n] = data + cols * n;
  result = new int[cols];
  srand(M_SEED);
  for (int i = 0; i < rows; i++) for (int j = 0; j < cols; j++) wall[i][j] = rand() % 10;
}
int calc_path(int *gpuWall, int *gpuResult[2], int rows, int cols, int pyramid_height, int blockCols, int borderCols) {
  dim3 dimBlock(BLOCK_SIZE), dimGrid(blockCols); int src = 1, dst = 0;
  for (int t = 0; t < rows - 1; t += pyramid_height) { int temp = src; src = dst; dst = temp;
    dynproc_kernel<<<dimGrid, dimBlock>>>(MIN(pyramid_height, rows - t - 1), gpuWall, gpuResult[src], gpuResult[dst], cols, rows, t, borderCols); }
  return dst;
}
void run(int argc, char **argv) {
  init(argc, argv);
  int borderCols = (pyramid_height)*HALO; int smallBlockCol = BLOCK_SIZE - (pyramid_height)*HALO * 2;
  int blockCols = cols / smallBlockCol + ((cols % smallBlockCol == 0) ? 0 : 1);
  int *gpuWall, *gpuResult[2]; int size = rows * cols;
  cudaMalloc((void **)&gpuResult[0], sizeof(int) * cols); cudaMalloc((void **)&gpuResult[1], sizeof(int) * cols);
  cudaMalloc((void **)&gpuWall, sizeof(int) * (size - cols));
  int final_ret = calc_path(gpuWall, gpuResult, rows, cols, pyramid_height, blockCols, borderCols);
}
int main(int argc, char **argv) { run(argc, argv); return EXIT_SUCCESS; }
//// back propagation: a struct of sizes, a pitch of tiles, a global grid
//= bpnn_layerforward_CUDA <<<dim3(1, 4096), dim3(16, 16)>>> input_cuda[65537] in = 65536 hid = 16
#define HEIGHT 16
#define BLOCK_SIZE 16
typedef struct { int input_n; int hidden_n; int output_n; float *input_units; float **input_weights; } BPNN;
__global__ void bpnn_layerforward_CUDA(float *input_cuda, float *output_hidden_cuda, int in, int hid) { output_hidden_cuda[blockIdx.y * hid + threadIdx.x] = input_cuda[HEIGHT * blockIdx.y + threadIdx.y + 1]; }
BPNN *bpnn_internal_create(int n_in, int n_hidden, int n_out) { BPNN *newnet; newnet = (BPNN *)malloc(sizeof(BPNN)); if (newnet == NULL) { return (NULL); } newnet->input_n = n_in; newnet->hidden_n = n_hidden; newnet->output_n = n_out; newnet->input_units = (float *)malloc((n_in + 1) * sizeof(float)); return newnet; }
BPNN *bpnn_create(int n_in, int n_hidden, int n_out) { BPNN *newnet = bpnn_internal_create(n_in, n_hidden, n_out); bpnn_zero_weights(newnet->input_weights, n_in, n_hidden); return newnet; }
int layer_size = 0; unsigned int num_threads = 0, num_blocks = 0;
void bpnn_train_cuda(BPNN *net, float *eo) {
  int in, hid, out; in = net->input_n; hid = net->hidden_n; out = net->output_n;
  float *input_hidden_cuda; float *input_cuda; float *output_hidden_cuda;
  num_blocks = in / 16; dim3 grid(1, num_blocks); dim3 threads(16, 16);
  cudaMalloc((void **)&input_cuda, (in + 1) * sizeof(float)); cudaMalloc((void **)&output_hidden_cuda, (hid + 1) * sizeof(float));
  bpnn_layerforward_CUDA<<<grid, threads>>>(input_cuda, output_hidden_cuda, in, hid);
}
void backprop_face() { BPNN *net; float out_err; net = bpnn_create(layer_size, 16, 1); load(net); bpnn_train_cuda(net, &out_err); bpnn_free(net); }
int setup(int argc, char *argv[]) { layer_size = 65536; if (layer_size % 16 != 0) { fprintf(stderr, "The number of input points must be divisible by 16\n"); exit(0); } backprop_face(); exit(0); }
int main(int argc, char **argv) { setup(argc, argv); }
//// nearest neighbours: the device's limits bound the grid
//= euclid <<<168, 256>>> d_locations[42764] numRecords = 42764
#define DEFAULT_THREADS_PER_BLOCK 256
#define CEIL_DIV(x, y) (((x) + (y) - 1) / (y))
#define MIN(a, b) ((a) <= (b) ? (a) : (b))
typedef struct latLong { float lat; float lng; } LatLong;
__global__ void euclid(LatLong *d_locations, float *d_distances, int numRecords, float lat, float lng) { int globalId = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x; if (globalId < numRecords) d_distances[globalId] = d_locations[globalId].lat - lat; }
int main(int argc, char *argv[]) {
  std::vector<LatLong> locations; int numRecords = 42764; float lat, lng;
  if (parseCommandline(argc, argv, &lat, &lng)) { printUsage(); return 0; }
  LatLong *d_locations; float *d_distances;
  cudaDeviceProp deviceProp; cudaGetDeviceProperties(&deviceProp, 0); cudaThreadSynchronize();
  unsigned long maxGridX = deviceProp.maxGridSize[0];
  unsigned long threadsPerBlock = MIN(deviceProp.maxThreadsPerBlock, DEFAULT_THREADS_PER_BLOCK);
  unsigned long blocks = CEIL_DIV(numRecords, threadsPerBlock), gridX = MIN(blocks, maxGridX), gridY = CEIL_DIV(blocks, gridX);
  dim3 gridDim(gridX, gridY);
  cudaMalloc((void **)&d_locations, sizeof(LatLong) * numRecords); cudaMalloc((void **)&d_distances, sizeof(float) * numRecords);
  euclid<<<gridDim, threadsPerBlock>>>(d_locations, d_distances, numRecords, lat, lng);
}
