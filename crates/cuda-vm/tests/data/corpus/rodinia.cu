//// bfs 2
#include <stdio.h>
#include <cuda.h>
#define MAX_THREADS_PER_BLOCK 512
struct Node { int starting; int no_of_edges; };
__global__ void Kernel(Node* g_nodes, int* g_edges, bool* g_mask, bool* g_updating, bool *g_visited, int* g_cost, int n) {
  int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;
  if (tid < n && g_mask[tid]) {
    g_mask[tid] = false;
    for (int i = g_nodes[tid].starting; i < (g_nodes[tid].no_of_edges + g_nodes[tid].starting); i++) {
      int id = g_edges[i];
      if (!g_visited[id]) { g_cost[id] = g_cost[tid] + 1; g_updating[id] = true; }
    }
  }
}
__global__ void Kernel2(bool* g_mask, bool *g_updating, bool* g_visited, bool *g_over, int n) {
  int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;
  if (tid < n && g_updating[tid]) { g_mask[tid] = true; g_visited[tid] = true; *g_over = true; g_updating[tid] = false; }
}
void BFSGraph(int argc, char** argv);
int main(int argc, char** argv) { BFSGraph(argc, argv); }
void BFSGraph(int argc, char** argv) {
  FILE *fp = fopen(argv[1], "r"); int n = 0;
  fscanf(fp, "%d", &n);
  Node* h = (Node*)malloc(sizeof(Node) * n); Node *d; cudaMalloc((void**)&d, sizeof(Node) * n);
  dim3 grid(n / 512 + 1, 1, 1), threads(512, 1, 1);
  bool stop; int k = 0;
  do { stop = false; k++; } while (stop);
}
//// bplustree 2
#define DEFAULT_ORDER 256
typedef struct record { int value; } record;
typedef struct knode { int location; int indices[DEFAULT_ORDER + 1]; int keys[DEFAULT_ORDER + 1]; bool is_leaf; int num_keys; } knode;
__global__ void findK(long height, knode *knodesD, long knodes_elem, record *recordsD, long *currKnodeD, long *offsetD, int *keysD, record *ansD) {
  int thid = threadIdx.x, bid = blockIdx.x, i;
  for (i = 0; i < height; i++) {
    if ((knodesD[currKnodeD[bid]].keys[thid]) <= keysD[bid] && (knodesD[currKnodeD[bid]].keys[thid + 1] > keysD[bid])) {
      if (knodesD[offsetD[bid]].indices[thid] < knodes_elem) offsetD[bid] = knodesD[offsetD[bid]].indices[thid];
    }
    __syncthreads();
    if (thid == 0) currKnodeD[bid] = offsetD[bid];
    __syncthreads();
  }
  if (knodesD[currKnodeD[bid]].keys[thid] == keysD[bid]) ansD[bid].value = recordsD[knodesD[currKnodeD[bid]].indices[thid]].value;
}
__global__ void findRangeK(long height, knode *knodesD, long knodes_elem, long *currKnodeD, long *offsetD, int *startD, int *RecstartD) {
  int thid = threadIdx.x, bid = blockIdx.x;
  for (int i = 0; i < height; i++) {
    if ((knodesD[currKnodeD[bid]].keys[thid] <= startD[bid]) && (knodesD[currKnodeD[bid]].keys[thid+1] > startD[bid]))
      if (knodesD[currKnodeD[bid]].indices[thid] < knodes_elem) offsetD[bid] = knodesD[currKnodeD[bid]].indices[thid];
    __syncthreads();
    if (thid == 0) currKnodeD[bid] = offsetD[bid];
    __syncthreads();
  }
  if (knodesD[currKnodeD[bid]].keys[thid] == startD[bid]) RecstartD[bid] = knodesD[currKnodeD[bid]].indices[thid];
}
//// backprop 2
#define WIDTH 16
#define HEIGHT 16
#define ETA 0.3f
#define MOMENTUM 0.3f
extern "C" void setup(int argc, char** argv);
__global__ void bpnn_layerforward_CUDA(float *input_cuda, float *output_hidden, float *input_hidden, float *hidden_partial_sum, int in, int hid) {
  int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int index = (hid + 1) * HEIGHT * by + (hid + 1) * ty + tx + 1 + (hid + 1);
  int index_in = HEIGHT * by + ty + 1;
  __shared__ float input_node[HEIGHT];
  __shared__ float weight_matrix[HEIGHT][WIDTH];
  if (tx == 0) input_node[ty] = input_cuda[index_in];
  __syncthreads();
  weight_matrix[ty][tx] = input_hidden[index];
  __syncthreads();
  weight_matrix[ty][tx] = weight_matrix[ty][tx] * input_node[ty];
  __syncthreads();
  for (int i = 1; i <= __log2f(HEIGHT); i++) {
    int power_two = __powf(2, i);
    if (ty % power_two == 0) weight_matrix[ty][tx] = weight_matrix[ty][tx] + weight_matrix[ty + power_two / 2][tx];
    __syncthreads();
  }
  input_hidden[index] = weight_matrix[ty][tx];
  __syncthreads();
  if (tx == 0) hidden_partial_sum[by * hid + ty] = weight_matrix[tx][ty];
}
__global__ void bpnn_adjust_weights_cuda(float *delta, int hid, float *ly, int in, float *w, float *oldw) {
  int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int index = (hid + 1) * HEIGHT * by + (hid + 1) * ty + tx + 1 + (hid + 1);
  int index_y = HEIGHT * by + ty + 1, index_x = tx + 1;
  w[index] += ((ETA * delta[index_x] * ly[index_y]) + (MOMENTUM * oldw[index]));
  oldw[index] = ((ETA * delta[index_x] * ly[index_y]) + (MOMENTUM * oldw[index]));
}
//// cfd 3
#include <helper_cuda.h>
#include <iostream>
#include <fstream>
#define GAMMA 1.4f
#define NDIM 3
#define NNB 4
#define VAR_DENSITY 0
#define VAR_MOMENTUM 1
#define VAR_DENSITY_ENERGY (VAR_MOMENTUM+NDIM)
#define NVAR (VAR_DENSITY_ENERGY+1)
template <typename T> T* alloc(int N) { T* t; checkCudaErrors(cudaMalloc((void**)&t, sizeof(T)*N)); return t; }
template <typename T> void dealloc(T* array) { checkCudaErrors(cudaFree((void*)array)); }
__constant__ float ff_variable[NVAR];
__constant__ float3 ff_flux_contribution_momentum_x[1];
__global__ void cuda_initialize_variables(int nelr, float* variables) {
  const int i = (blockDim.x*blockIdx.x + threadIdx.x);
  for (int j = 0; j < NVAR; j++) variables[i + j*nelr] = ff_variable[j];
}
__device__ __host__ inline void compute_velocity(float& density, float3& momentum, float3& velocity) {
  velocity.x = momentum.x / density; velocity.y = momentum.y / density; velocity.z = momentum.z / density;
}
__device__ inline float compute_speed_sqd(float3& velocity) { return velocity.x*velocity.x + velocity.y*velocity.y + velocity.z*velocity.z; }
__device__ inline float compute_pressure(float& density, float& density_energy, float& speed_sqd) { return (float(GAMMA)-float(1.0f))*(density_energy - float(0.5f)*density*speed_sqd); }
__global__ void cuda_compute_step_factor(int nelr, float* variables, float* areas, float* step_factors) {
  const int i = (blockDim.x*blockIdx.x + threadIdx.x);
  float density = variables[i + VAR_DENSITY*nelr];
  float3 momentum;
  momentum.x = variables[i + (VAR_MOMENTUM+0)*nelr]; momentum.y = variables[i + (VAR_MOMENTUM+1)*nelr]; momentum.z = variables[i + (VAR_MOMENTUM+2)*nelr];
  float density_energy = variables[i + VAR_DENSITY_ENERGY*nelr];
  float3 velocity; compute_velocity(density, momentum, velocity);
  float speed_sqd = compute_speed_sqd(velocity);
  float pressure = compute_pressure(density, density_energy, speed_sqd);
  step_factors[i] = float(0.5f) / (sqrtf(areas[i]) * (sqrtf(speed_sqd) + sqrtf(float(GAMMA)*pressure/density)));
}
__global__ void cuda_time_step(int j, int nelr, float* old_variables, float* variables, float* step_factors, float* fluxes) {
  const int i = (blockDim.x*blockIdx.x + threadIdx.x);
  float factor = step_factors[i]/float(3+1-j);
  variables[i + (VAR_DENSITY)*nelr] = old_variables[i + (VAR_DENSITY)*nelr] + factor*fluxes[i + VAR_DENSITY*nelr];
}
void initialize_variables(int nelr, float* variables) {
  dim3 Dg(nelr / 192), Db(192);
  cuda_initialize_variables<<<Dg, Db>>>(nelr, variables);
  getLastCudaError("initialize_variables failed");
}
int main(int argc, char** argv) {
  int nel = 97046, nelr = 192 * ((nel / 192) + std::min(1, nel % 192));
  float* variables = alloc<float>(nelr * NVAR);
  initialize_variables(nelr, variables);
  std::cout << "done" << std::endl;
}
//// dwt2d 2
namespace dwt_cuda {
  template <typename T, int SIZE_X, int SIZE_Y, int BOUNDARY_X>
  class TransformBuffer {
  public:
    enum { PADDING = 1, BUFFER_SIZE = SIZE_X * SIZE_Y + PADDING, VERTICAL_STRIDE = BOUNDARY_X + (SIZE_X / 2) };
  private:
    T data[2 * BUFFER_SIZE];
    template <typename FUNC>
    __device__ void horizontalStep(const int count, const int prevOffset, const int midOffset, const int nextOffset, const FUNC & function) {
      const int STEPS = count / SIZE_X;
      for (int i = 0; i < STEPS; i++) {
        const int previous = prevOffset + i * SIZE_X + threadIdx.x;
        function(data[previous], data[midOffset + i * SIZE_X + threadIdx.x], data[nextOffset + i * SIZE_X + threadIdx.x]);
      }
    }
  public:
    __device__ T & operator[] (const int index) { return data[index]; }
    __device__ int getColumnOffset(int columnIndex) { columnIndex += BOUNDARY_X; return columnIndex / 2 + (columnIndex & 1) * BUFFER_SIZE; }
    template <typename FUNC> __device__ void forEachHorizontalOdd(const int firstLine, const FUNC & func) { horizontalStep(SIZE_X, firstLine, firstLine + BUFFER_SIZE / 2, firstLine + 1, func); }
  };
  struct AddFn { __device__ void operator()(const int a, int &b, const int c) const { b += (a + c) / 2; } };
  template <int WIN_SIZE_X, int WIN_SIZE_Y>
  class FDWT53 {
    TransformBuffer<int, WIN_SIZE_X, WIN_SIZE_Y + 3, 2> buffer;
    template <bool CHECKED> struct FDWT53Column { int offset; __device__ void clear() { offset = 0; } };
    template <bool CHECK_LOADS> __device__ void transform(const int * const in, int * const out, const int sizeX, const int sizeY) {
      FDWT53Column<CHECK_LOADS> column; column.clear();
      buffer[threadIdx.x + column.offset] = in[blockIdx.x * WIN_SIZE_X + threadIdx.x];
      __syncthreads();
      buffer.forEachHorizontalOdd(0, AddFn());
      __syncthreads();
      if (!CHECK_LOADS || threadIdx.x < sizeX) out[blockIdx.x * WIN_SIZE_X + threadIdx.x] = buffer[threadIdx.x];
    }
  public:
    __device__ static void run(const int * const input, int * const output, const int sx, const int sy) {
      __shared__ FDWT53<WIN_SIZE_X, WIN_SIZE_Y> fdwt53;
      if (blockIdx.x == gridDim.x - 1) fdwt53.template transform<true>(input, output, sx, sy);
      else fdwt53.template transform<false>(input, output, sx, sy);
    }
  };
  template <int WIN_SX, int WIN_SY> __launch_bounds__(WIN_SX, CTMIN(16 / (WIN_SX / 32), 2))
  __global__ void fdwt53Kernel(const int * const input, int * const result, const int sx, const int sy) { FDWT53<WIN_SX, WIN_SY>::run(input, result, sx, sy); }
  template <int WIN_SX, int WIN_SY> void launchFDWT53Kernel(int * in, int * out, int sx, int sy) {
    dim3 gSize(divRndUp(sx, WIN_SX), 1);
    fdwt53Kernel<WIN_SX, WIN_SY><<<gSize, WIN_SX>>>(in, out, sx, sy);
  }
  void fdwt53(int * in, int * out, int sizeX, int sizeY) { if (sizeX >= 960) launchFDWT53Kernel<192, 8>(in, out, sizeX, sizeY); else launchFDWT53Kernel<64, 8>(in, out, sizeX, sizeY); }
}
__device__ void storeComponents(float *d_r, float *d_g, float *d_b, float r, float g, float b, int pos) { d_r[pos] = (r / 255.0f) - 0.5f; d_g[pos] = (g/255.0f) - 0.5f; d_b[pos] = (b/255.0f) - 0.5f; }
__global__ void c_CopySrcToComponents(float *d_r, float *d_g, float *d_b, unsigned char * d_src, int pixels) {
  int x = threadIdx.x, gX = blockDim.x * blockIdx.x;
  __shared__ unsigned char sData[256 * 3];
  float *s = (float *)sData; float *d = (float *)d_src;
  sData[x * 3] = d_src[gX * 3 + x * 3];
  __syncthreads();
  if (gX + x < pixels) storeComponents(d_r, d_g, d_b, (float)sData[x * 3], (int)sData[(x*3)+1], sData[x*3+2], gX + x);
}
//// gaussian 1
#define MAXBLOCKSIZE 512
unsigned int totalKernelTime = 0;
__global__ void Fan1(float *m_cuda, float *a_cuda, int Size, int t) {
  if (threadIdx.x + blockIdx.x * blockDim.x >= Size-1-t) return;
  *(m_cuda+Size*(blockDim.x*blockIdx.x+threadIdx.x+t+1)+t) = *(a_cuda+Size*(blockDim.x*blockIdx.x+threadIdx.x+t+1)+t) / *(a_cuda+Size*t+t);
}
__global__ void Fan2(float *m_cuda, float *a_cuda, float *b_cuda, int Size, int j1, int t) {
  if (threadIdx.x + blockIdx.x * blockDim.x >= Size-1-t) return;
  if (threadIdx.y + blockIdx.y * blockDim.y >= Size-t) return;
  int xidx = blockIdx.x * blockDim.x + threadIdx.x, yidx = blockIdx.y * blockDim.y + threadIdx.y;
  a_cuda[Size*(xidx+1+t)+(yidx+t)] -= m_cuda[Size*(xidx+1+t)+t] * a_cuda[Size*t+(yidx+t)];
  if (yidx == 0) b_cuda[xidx+1+t] -= m_cuda[Size*(xidx+1+t)+(yidx+t)] * b_cuda[t];
}
//// heartwall 1
typedef float fp;
typedef struct params_common { int sSize, tSize, frame_no; int in_rows, in_cols, in_elem; long in_mem; fp *d_in2_sqr; } params_common;
typedef struct params_unique { int *d_Row, *d_Col; int point_no; fp *d_in2; } params_unique;
__constant__ params_common d_common;
__constant__ params_unique d_unique[8];
__global__ void heartwall_kernel(fp *out) {
  fp *d_in; int bx = blockIdx.x, tx = threadIdx.x, ei_new; __shared__ fp s_sum[64];
  ei_new = tx;
  while (ei_new < d_common.in_elem) {
    int row = (ei_new + 1) % d_common.in_rows - 1, col = (ei_new + 1) / d_common.in_rows;
    if ((ei_new + 1) % d_common.in_rows == 0) { row = d_common.in_rows - 1; col--; }
    out[bx * d_common.in_elem + ei_new] = row * d_unique[bx].point_no + col;
    ei_new = ei_new + blockDim.x;
  }
  s_sum[tx & 63] = ei_new; __syncthreads();
  if (tx == 0) out[bx] = s_sum[0];
}
int main() {
  params_common common; common.in_rows = 16; common.in_cols = 8; common.in_elem = common.in_rows * common.in_cols;
  params_unique unique[8]; unique[0].point_no = 3;
  cudaMemcpyToSymbol(d_common, &common, sizeof(params_common));
  cudaMemcpyToSymbol(d_unique, &unique, sizeof(params_unique) * 8);
  fp *out; cudaMalloc((void **)&out, 8 * common.in_elem * sizeof(fp));
  heartwall_kernel<<<8, 64>>>(out);
}
//// hotspot 1
#define BLOCK_SIZE 16
#define IN_RANGE(x, min, max) ((x)>=(min) && (x)<=(max))
#define CLAMP_RANGE(x, min, max) x = (x<(min)) ? min : ((x>(max)) ? max : x )
__global__ void calculate_temp(int iteration, float *power, float *temp_src, float *temp_dst, int grid_cols, int grid_rows, int border_cols, int border_rows, float Cap, float Rx, float Ry, float Rz, float step, float time_elapsed) {
  __shared__ float temp_on_cuda[BLOCK_SIZE][BLOCK_SIZE];
  __shared__ float temp_t[BLOCK_SIZE][BLOCK_SIZE];
  float amb_temp = 80.0, step_div_Cap = step/Cap, Rx_1 = 1/Rx, Ry_1 = 1/Ry;
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int small_block_rows = BLOCK_SIZE-iteration*2, small_block_cols = BLOCK_SIZE-iteration*2;
  int blkY = small_block_rows*by-border_rows, blkX = small_block_cols*bx-border_cols;
  int yidx = blkY+ty, xidx = blkX+tx, loadYidx = yidx, loadXidx = xidx, index = grid_cols*loadYidx+loadXidx;
  if (IN_RANGE(loadYidx, 0, grid_rows-1) && IN_RANGE(loadXidx, 0, grid_cols-1)) temp_on_cuda[ty][tx] = temp_src[index];
  __syncthreads();
  int N = ty-1, S = ty+1, W = tx-1, E = tx+1;
  CLAMP_RANGE(N, 0, BLOCK_SIZE-1); CLAMP_RANGE(S, 0, BLOCK_SIZE-1); CLAMP_RANGE(W, 0, BLOCK_SIZE-1); CLAMP_RANGE(E, 0, BLOCK_SIZE-1);
  bool computed;
  for (int i = 0; i < iteration; i++) {
    computed = false;
    if (IN_RANGE(tx, i+1, BLOCK_SIZE-i-2) && IN_RANGE(ty, i+1, BLOCK_SIZE-i-2)) {
      computed = true;
      temp_t[ty][tx] = temp_on_cuda[ty][tx] + step_div_Cap * (power[index < 0 ? 0 : index] + (temp_on_cuda[S][tx] + temp_on_cuda[N][tx] - 2.0*temp_on_cuda[ty][tx]) * Ry_1 + (temp_on_cuda[ty][E] + temp_on_cuda[ty][W] - 2.0*temp_on_cuda[ty][tx]) * Rx_1 + (amb_temp - temp_on_cuda[ty][tx]) / Rz);
    }
    __syncthreads();
    if (i == iteration-1) break;
    if (computed) temp_on_cuda[ty][tx] = temp_t[ty][tx];
    __syncthreads();
  }
  if (computed) temp_dst[index] = temp_t[ty][tx];
}
//// hotspot3D 1
__global__ void hotspotOpt1(float *p, float* tIn, float *tOut, float sdc, int nx, int ny, int nz, float ce, float cw, float cn, float cs, float ct, float cb, float cc) {
  float amb_temp = 80.0;
  int i = blockDim.x * blockIdx.x + threadIdx.x, j = blockDim.y * blockIdx.y + threadIdx.y;
  int c = i + j * nx, xy = nx * ny;
  int W = (i == 0) ? c : c - 1, E = (i == nx-1) ? c : c + 1, N = (j == 0) ? c : c - nx, S = (j == ny-1) ? c : c + nx;
  float temp1, temp2, temp3;
  temp1 = temp2 = tIn[c]; temp3 = tIn[c+xy];
  tOut[c] = cc * temp2 + cw * tIn[W] + ce * tIn[E] + cs * tIn[S] + cn * tIn[N] + cb * temp1 + ct * temp3 + sdc * p[c] + ct * amb_temp;
  c += xy; W += xy; E += xy; N += xy; S += xy;
  for (int k = 1; k < nz-1; ++k) {
    temp1 = temp2; temp2 = temp3; temp3 = tIn[c+xy];
    tOut[c] = cc * temp2 + cw * tIn[W] + ce * tIn[E] + cs * tIn[S] + cn * tIn[N] + cb * temp1 + ct * temp3 + sdc * p[c];
    c += xy; W += xy; E += xy; N += xy; S += xy;
  }
}
//// huffman 2
typedef unsigned int uint;
#define NUM_SYMBOLS 256
__device__ void vlc_encode_symbol(uint *s, uint kc, uint startbit, uint val) { atomicOr(&s[kc], val << startbit); }
__global__ static void vlc_encode_kernel_sm64huff(unsigned int* data, const unsigned int* gm_codewords, const unsigned int* gm_codewordlens, unsigned int* out, unsigned int *outidx) {
  unsigned int kn = blockIdx.x*blockDim.x + threadIdx.x, k = threadIdx.x;
  unsigned int kc, startbit, wrbits;
  unsigned long long cw64 = 0; unsigned int val32, codewordlen = 0; unsigned char tmpbyte, tmpcwlen; unsigned int tmpcw;
  extern __shared__ unsigned int sm[];
  __shared__ unsigned int kcmax;
  unsigned int* codewords = (unsigned int*)sm, *codewordlens = (unsigned int*)(sm+NUM_SYMBOLS), *as = (unsigned int*)(sm+2*NUM_SYMBOLS);
  codewords[k] = gm_codewords[k]; codewordlens[k] = gm_codewordlens[k];
  val32 = data[kn];
  __syncthreads();
  for (unsigned int i = 0; i < 4; i++) {
    tmpbyte = (unsigned char)(val32>>((3-i)*8));
    tmpcw = codewords[tmpbyte]; tmpcwlen = codewordlens[tmpbyte] & 7;
    cw64 = (cw64<<tmpcwlen) | tmpcw; codewordlen += tmpcwlen;
  }
  as[k] = codewordlen;
  __syncthreads();
  unsigned int offset = 1;
  for (unsigned int d = (blockDim.x)>>1; d > 0; d >>= 1) {
    __syncthreads();
    if (k < d) { unsigned char ai = offset*(2*k+1)-1, bi = offset*(2*k+2)-1; as[bi] += as[ai]; }
    offset *= 2;
  }
  if (k == blockDim.x-1) { outidx[blockIdx.x] = as[k]; kcmax = as[k] / 32; as[k] = 0; }
  __syncthreads();
  kc = as[k]/32 & 255; startbit = as[k]%32; as[k] = 0U;
  __syncthreads();
  wrbits = codewordlen > (32-startbit) ? (32-startbit) : codewordlen;
  vlc_encode_symbol(as, kc, startbit, (unsigned int)(cw64>>(codewordlen - wrbits)));
  __syncthreads();
  if (k <= kcmax && k < 256) out[kn] = as[k];
}
__global__ void histo_kernel(unsigned char *buffer, long size, unsigned int *histo) {
  __shared__ unsigned int temp[256];
  temp[threadIdx.x] = 0; __syncthreads();
  int i = threadIdx.x + blockIdx.x * blockDim.x, offset = blockDim.x * gridDim.x;
  while (i < size) { atomicAdd(&temp[buffer[i]], 1); i += offset; }
  __syncthreads();
  atomicAdd(&(histo[threadIdx.x]), temp[threadIdx.x]);
}
int main(int argc, char *argv[]) {
  unsigned int num_elements = 1024, nblocks = 4, *d_data, *c, *l, *o, *x;
  cudaMalloc((void**)&d_data, num_elements * sizeof(int)); cudaMalloc((void**)&o, num_elements * 4); cudaMalloc((void**)&x, 16);
  cudaMalloc((void**)&c, NUM_SYMBOLS*sizeof(int)); cudaMalloc((void**)&l, NUM_SYMBOLS*sizeof(int));
  unsigned int sm_size = 2*NUM_SYMBOLS*sizeof(int) + 256*sizeof(unsigned int);
  vlc_encode_kernel_sm64huff<<<dim3(nblocks), dim3(256), sm_size>>>(d_data, c, l, o, x);
  unsigned char *b; unsigned int *h; cudaMalloc(&b, 4096); cudaMalloc(&h, 1024);
  histo_kernel<<<2, 256>>>(b, 4096, h);
}
//// hybridsort 3
#define DIVISIONS (1 << 10)
#define LOG_DIVISIONS 10
#define BUCKET_WARP_LOG_SIZE 5
#define BUCKET_BLOCK_MEMORY 1024
texture<float, 1, cudaReadModeElementType> texPivot;
__device__ int addOffset(volatile unsigned int *s_offset, unsigned int data, unsigned int threadTag) {
  unsigned int count;
  do { count = s_offset[data] & 0x07FFFFFFU; count = threadTag | (count + 1); s_offset[data] = count; } while (s_offset[data] != count);
  return (count & 0x07FFFFFFU) - 1;
}
__global__ void bucketcount(float *input, int *indice, unsigned int *d_prefixoffsets, int size) {
  volatile __shared__ unsigned int s_offset[BUCKET_BLOCK_MEMORY];
  const unsigned int threadTag = threadIdx.x << (32 - BUCKET_WARP_LOG_SIZE);
  const int warpBase = (threadIdx.x >> BUCKET_WARP_LOG_SIZE) * DIVISIONS, numThreads = blockDim.x * gridDim.x;
  for (int i = threadIdx.x; i < BUCKET_BLOCK_MEMORY; i += blockDim.x) s_offset[i] = 0;
  __syncthreads();
  for (int tid = blockIdx.x * blockDim.x + threadIdx.x; tid < size; tid += numThreads) {
    float elem = input[tid]; int idx = DIVISIONS/2 - 1, jump = DIVISIONS/4;
    float piv = tex1Dfetch(texPivot, idx);
    while (jump >= 1) { idx = (elem < piv) ? (idx - jump) : (idx + jump); piv = tex1Dfetch(texPivot, idx); jump /= 2; }
    idx = (elem < piv) ? idx : (idx + 1);
    indice[tid] = (addOffset(s_offset + (warpBase & 0), idx & 1023, threadTag) << LOG_DIVISIONS) + idx;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < BUCKET_BLOCK_MEMORY; i += blockDim.x) d_prefixoffsets[blockIdx.x * BUCKET_BLOCK_MEMORY + i] = s_offset[i] & 0x07FFFFFFU;
}
__device__ float4 sortElem(float4 r) {
  float4 nr;
  nr.x = (r.x > r.y) ? r.y : r.x; nr.y = (r.y > r.x) ? r.y : r.x; nr.z = (r.z > r.w) ? r.w : r.z; nr.w = (r.w > r.z) ? r.w : r.z;
  return nr;
}
__global__ void mergeSortFirst(float4 *result, int listsize) {
  int bx = blockIdx.x;
  if (bx*blockDim.x + threadIdx.x < listsize/4) { float4 r = ((float4*)result)[bx*blockDim.x + threadIdx.x]; result[bx * blockDim.x + threadIdx.x] = sortElem(r); }
}
__constant__ int constStartAddr[DIVISIONS + 1];
__global__ void mergepack(float *orig, float *result) {
  int idx = blockIdx.x*blockDim.x + threadIdx.x, division = blockIdx.y;
  if (idx >= 64) return;
  result[constStartAddr[division] + idx] = orig[idx];
}
//// kmeans 2
#define THREADS_PER_DIM 16
texture<float, 1, cudaReadModeElementType> t_features;
__constant__ float c_clusters[34*5];
__global__ void invert_mapping(float *input, float *output, int npoints, int nfeatures) {
  int point_id = threadIdx.x + blockDim.x*blockIdx.x;
  if (point_id < npoints) for (int i = 0; i < nfeatures; i++) output[point_id + npoints*i] = input[point_id*nfeatures + i];
  return;
}
__global__ void kmeansPoint(float *features, int nfeatures, int npoints, int nclusters, int *membership, float *clusters, float *block_clusters, int *block_deltas) {
  const unsigned int block_id = gridDim.x*blockIdx.y+blockIdx.x;
  const unsigned int point_id = block_id*blockDim.x*blockDim.y + threadIdx.x;
  int index = -1;
  if (point_id < npoints) {
    float min_dist = FLT_MAX, dist;
    for (int i = 0; i < nclusters; i++) {
      int cluster_base_index = i*nfeatures; float ans = 0.0;
      for (int j = 0; j < nfeatures; j++) {
        int addr = point_id + j*npoints;
        float diff = (tex1Dfetch(t_features, addr) - c_clusters[cluster_base_index + j]);
        ans += diff*diff;
      }
      dist = ans;
      if (dist < min_dist) { min_dist = dist; index = i; }
    }
  }
  if (point_id < npoints) membership[point_id] = index;
}
//// lavaMD 1
#define NUMBER_PAR_PER_BOX 100
#define NUMBER_THREADS 128
#define DOT(A,B) ((A.x)*(B.x)+(A.y)*(B.y)+(A.z)*(B.z))
#define fp double
typedef struct { fp x, y, z; } THREE_VECTOR;
typedef struct { fp v, x, y, z; } FOUR_VECTOR;
typedef struct nei_str { int x, y, z; int number; long offset; } nei_str;
typedef struct box_str { int x, y, z; int number; long offset; int nn; nei_str nei[26]; } box_str;
typedef struct par_str { fp alpha; } par_str;
typedef struct dim_str { int cur_arg; int boxes1d_arg; long number_boxes; long box_mem; } dim_str;
__global__ void kernel_gpu_cuda(par_str d_par_gpu, dim_str d_dim_gpu, box_str* d_box_gpu, FOUR_VECTOR* d_rv_gpu, fp* d_qv_gpu, FOUR_VECTOR* d_fv_gpu) {
  int bx = blockIdx.x, tx = threadIdx.x, wtx = tx;
  if (bx < d_dim_gpu.number_boxes) {
    fp a2 = 2.0*d_par_gpu.alpha*d_par_gpu.alpha;
    int first_i; FOUR_VECTOR* rA; FOUR_VECTOR* fA; __shared__ FOUR_VECTOR rA_shared[100];
    int pointer, k = 0, first_j, j = 0; FOUR_VECTOR* rB; fp* qB; __shared__ FOUR_VECTOR rB_shared[100]; __shared__ double qB_shared[100];
    fp r2, u2, vij, fs; THREE_VECTOR d;
    first_i = d_box_gpu[bx].offset; rA = &d_rv_gpu[first_i]; fA = &d_fv_gpu[first_i];
    while (wtx < NUMBER_PAR_PER_BOX) { rA_shared[wtx] = rA[wtx]; wtx = wtx + NUMBER_THREADS; }
    wtx = tx; __syncthreads();
    for (k = 0; k < (1+d_box_gpu[bx].nn); k++) {
      if (k == 0) pointer = bx; else pointer = d_box_gpu[bx].nei[k-1].number;
      first_j = d_box_gpu[pointer].offset; rB = &d_rv_gpu[first_j]; qB = &d_qv_gpu[first_j];
      while (wtx < NUMBER_PAR_PER_BOX) { rB_shared[wtx] = rB[wtx]; qB_shared[wtx] = qB[wtx]; wtx = wtx + NUMBER_THREADS; }
      wtx = tx; __syncthreads();
      while (wtx < NUMBER_PAR_PER_BOX) {
        for (j = 0; j < 4; j++) {
          r2 = (fp)rA_shared[wtx].v + (fp)rB_shared[j].v - DOT((fp)rA_shared[wtx], (fp)rB_shared[j]);
          u2 = a2*r2; vij = exp(-u2); fs = 2*vij;
          d.x = (fp)rA_shared[wtx].x - (fp)rB_shared[j].x;
          fA[wtx].v += (double)((fp)qB_shared[j]*vij); fA[wtx].x += (double)((fp)qB_shared[j]*fs*d.x);
        }
        wtx = wtx + NUMBER_THREADS;
      }
      wtx = tx; __syncthreads();
    }
  }
}
//// leukocyte 2
#define MaxR 20
#define NCIRCLES 7
__constant__ float c_sin_angle[150];
__constant__ int c_tX[NCIRCLES * 150];
texture<float, 1, cudaReadModeElementType> t_grad_x;
__global__ void GICOV_kernel(int grad_m, float *gicov) {
  int i, j, k, n, x, y;
  i = blockIdx.x + MaxR + 2; j = threadIdx.x + MaxR + 2;
  float max_GICOV = 0.f;
  for (k = 0; k < NCIRCLES; k++) {
    float sum = 0.f, M2 = 0.f, mean = 0.f;
    for (n = 0; n < 150; n++) {
      y = j + c_tX[(k * 150) + n]; x = i;
      int addr = x * grad_m + y;
      float p = tex1Dfetch(t_grad_x, addr) * c_sin_angle[n];
      sum += p; float delta = p - mean; mean = mean + (delta / (float) (n + 1)); M2 = M2 + (delta * (p - mean));
    }
    mean = sum / ((float) 150);
    float var = M2 / ((float) (150 - 1));
    if (((mean * mean) / var) > max_GICOV) { gicov[(i * grad_m) + j] = mean / sqrt(var); max_GICOV = (mean * mean) / var; }
  }
  gicov[i * grad_m + j] = max_GICOV;
}
#define heaviside(x, e) (atan((x) * 1.0f / (e)) * 0.318f + 0.5f)
__global__ void IMGVF_kernel(float **IMGVF_array, float **I_array, int *m_array, int *n_array, float vx, float vy, float e, int max_iterations, float cutoff) {
  __shared__ float IMGVF[41 * 81], buffer[128]; __shared__ int cell_converged;
  int cell_num = blockIdx.x; float *IMGVF_global = IMGVF_array[cell_num], *I = I_array[cell_num];
  const int m = m_array[cell_num], n = n_array[cell_num], max = (m * n + blockDim.x - 1) / blockDim.x;
  int thread_id = threadIdx.x, thread_block, i, j;
  for (thread_block = 0; thread_block < max; thread_block++) {
    int offset = thread_block * blockDim.x; i = (thread_id + offset) / n; j = (thread_id + offset) % n;
    if (i < m) IMGVF[(i * n) + j] = IMGVF_global[(i * n) + j];
  }
  __syncthreads();
  if (threadIdx.x == 0) cell_converged = 0;
  __syncthreads();
  const float one_nth = 1.f / (float) n;
  int iterations = 0;
  while ((!cell_converged) && (iterations < 2)) {
    float total_diff = 0.0f;
    i = (int)((float)thread_id * one_nth); j = thread_id % n;
    if (i < m) { float old_val = IMGVF[i * n + j]; IMGVF[i * n + j] = heaviside(old_val, e) * I[i * n + j]; total_diff += fabs(IMGVF[i*n+j] - old_val); }
    buffer[thread_id & 127] = total_diff; __syncthreads();
    if (thread_id == 0) { float mean = buffer[thread_id] / (float)(m * n); if (mean < cutoff) cell_converged = 1; }
    __syncthreads(); iterations++;
  }
  if (thread_id < m * n) IMGVF_global[thread_id] = IMGVF[thread_id];
}
//// lud 2
#include <cuda.h>
#ifdef RD_WG_SIZE_0_0
#define BLOCK_SIZE RD_WG_SIZE_0_0
#elif defined(RD_WG_SIZE)
#define BLOCK_SIZE RD_WG_SIZE
#else
#define BLOCK_SIZE 16
#endif
__global__ void lud_diagonal(float *m, int matrix_dim, int offset) {
  int i, j; __shared__ float shadow[BLOCK_SIZE][BLOCK_SIZE];
  int array_offset = offset*matrix_dim+offset;
  for (i = 0; i < BLOCK_SIZE; i++) { shadow[i][threadIdx.x] = m[array_offset+threadIdx.x]; array_offset += matrix_dim; }
  __syncthreads();
  for (i = 0; i < BLOCK_SIZE-1; i++) {
    if (threadIdx.x > i) { for (j = 0; j < i; j++) shadow[threadIdx.x][i] -= shadow[threadIdx.x][j]*shadow[j][i]; shadow[threadIdx.x][i] /= shadow[i][i]; }
    __syncthreads();
    if (threadIdx.x > i) for (j = 0; j < i+1; j++) shadow[i+1][threadIdx.x] -= shadow[i+1][j]*shadow[j][threadIdx.x];
    __syncthreads();
  }
  array_offset = (offset+1)*matrix_dim+offset;
  for (i = 1; i < BLOCK_SIZE; i++) { m[array_offset+threadIdx.x] = shadow[i][threadIdx.x]; array_offset += matrix_dim; }
}
__global__ void lud_internal(float *m, int matrix_dim, int offset) {
  __shared__ float peri_row[BLOCK_SIZE][BLOCK_SIZE], peri_col[BLOCK_SIZE][BLOCK_SIZE];
  int i; float sum;
  int global_row_id = offset + (blockIdx.y+1)*BLOCK_SIZE, global_col_id = offset + (blockIdx.x+1)*BLOCK_SIZE;
  peri_row[threadIdx.y][threadIdx.x] = m[(offset+threadIdx.y)*matrix_dim+global_col_id+threadIdx.x];
  peri_col[threadIdx.y][threadIdx.x] = m[(global_row_id+threadIdx.y)*matrix_dim+offset+threadIdx.x];
  __syncthreads();
  sum = 0;
  for (i = 0; i < BLOCK_SIZE; i++) sum += peri_col[threadIdx.y][i] * peri_row[i][threadIdx.x];
  m[(global_row_id+threadIdx.y)*matrix_dim+global_col_id+threadIdx.x] -= sum;
}
void lud_cuda(float *m, int matrix_dim) {
  int i = 0; dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE);
  for (i = 0; i < matrix_dim-BLOCK_SIZE; i += BLOCK_SIZE) {
    lud_diagonal<<<1, BLOCK_SIZE>>>(m, matrix_dim, i);
    dim3 dimGrid((matrix_dim-i)/BLOCK_SIZE-1, (matrix_dim-i)/BLOCK_SIZE-1);
    lud_internal<<<dimGrid, dimBlock>>>(m, matrix_dim, i);
  }
}
int main(int argc, char *argv[]) { int matrix_dim = 32; float *d_m; cudaMalloc((void**)&d_m, matrix_dim*matrix_dim*sizeof(float)); lud_cuda(d_m, matrix_dim); }
//// mummergpu 1
struct _PixelOfNode { union { uint4 data; struct { uchar3 parent; uchar3 suffix; uchar3 children[3]; unsigned char depth; }; }; };
typedef struct _PixelOfNode PixelOfNode;
union _SuffixTreeAddr { int data; struct { unsigned char x0, x1, x2, x3; } b; };
struct MatchCoord { union { int2 data; struct { int node; int edge_match_length; }; }; };
texture<uint4, 2, cudaReadModeElementType> nodetex;
texture<char, 2, cudaReadModeElementType> reftex;
#define XCHILDDATA(n) (n)
#define TWO_LEVEL_NODE_TREE 1
#if TWO_LEVEL_NODE_TREE
__device__ int addr2id(uint2 addr) { int bx = addr.x >> 5, by = addr.y >> 5; return (bx * 64 + by) * 32 + (addr.x & 0x1F); }
#endif
__device__ char rf(int refpos, char *ref) { return tex2D(reftex, refpos & 0xFFFF, refpos >> 16); }
__global__ void mummergpuKernel(void *match_coords, char *queries, const int *queryAddrs, const int *queryLengths, const int numQueries, const int min_match_len) {
  int qryid = (blockIdx.x * blockDim.x) + threadIdx.x;
  if (qryid >= numQueries) { return; }
  int qlen = queryLengths[qryid] & 15, qrystart = 0;
  MatchCoord *result = (MatchCoord *)match_coords + qryid;
  char *qry = queries + queryAddrs[qryid];
  uint2 cur = make_uint2(0, 1); int match = 0;
  for (int i = 0; i < qlen; i++) {
    char c = qry[i + qrystart];
    PixelOfNode node; node.data = tex2D(nodetex, cur.x, cur.y);
    uchar3 next;
    switch (c) { case 'A': next = node.children[0]; break; case 'C': next = node.children[1]; break; case 'G': next = node.children[2]; break; default: next = node.parent; break; }
    if (next.x == 0 && next.y == 0) goto NEXT;
    cur.x = next.x; cur.y = next.y | ((next.z & 0x1F) << 8); match++;
    if (match < min_match_len) continue;
  NEXT:;
  }
  result->node = addr2id(cur); result->edge_match_length = match;
}
//// myocyte 1
#define NUMBER_THREADS 32
__device__ void kernel_ecc(float timeinst, float *d_initvalu, float *d_finavalu, int valu_offset, float *d_params) {
  float cycleLength; int offset_1 = valu_offset, offset_2 = valu_offset + 1;
  float d_initvalu_1 = d_initvalu[offset_1], pi = 3.1416, I_app, fjunc = 0.11;
  cycleLength = d_params[15];
  I_app = fmod(timeinst, cycleLength) <= 5 ? 9.5 : 0.0;
  float bh = (d_initvalu_1 >= -40.0) ? 0.77f / (0.13f * (1 + exp(-(d_initvalu_1 + 10.66) / 11.1))) : ((2.7 * exp(0.079 * d_initvalu_1) + 3.1 * pow((float)10, 5) * exp(0.3485 * d_initvalu_1)));
  d_finavalu[offset_2] = bh * fjunc + I_app + log(pi);
}
__global__ void kernel(int timeinst, float *d_initvalu, float *d_finavalu, float *d_params, float *d_com) {
  int bx = blockIdx.x, tx = threadIdx.x; float JCaDyad;
  if (bx == 0) { if (tx < 1) { kernel_ecc(timeinst, d_initvalu, d_finavalu, 0, d_params); } }
  else if (bx == 1) { if (tx == 0) { JCaDyad = d_initvalu[35] * 1e3; d_com[0] = JCaDyad; } }
}
//// nn 1
typedef struct latLong { float lat; float lng; } LatLong;
typedef struct record { char recString[49]; float distance; } Record;
__global__ void euclid(LatLong *d_locations, float *d_distances, int numRecords, float lat, float lng) {
  int globalId = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
  LatLong *latLong = d_locations + globalId;
  if (globalId < numRecords) {
    float *dist = d_distances + globalId;
    *dist = (float)sqrt((lat-latLong->lat)*(lat-latLong->lat)+(lng-latLong->lng)*(lng-latLong->lng));
  }
}
//// nw 1
#define SDATA(index) CUT_BANK_CHECKER(sdata, index)
#define BLOCK_SIZE 16
__device__ __host__ int maximum(int a, int b, int c) { int k; if (a <= b) k = b; else k = a; if (k <= c) return (c); else return (k); }
__global__ void needle_cuda_shared_1(int* referrence, int* matrix_cuda, int cols, int penalty, int i, int block_width) {
  int bx = blockIdx.x, tx = threadIdx.x, b_index_x = bx, b_index_y = i - 1 - bx;
  int index = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x + tx + (cols + 1);
  int index_n = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x + tx + (1);
  int index_nw = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x;
  __shared__ int temp[BLOCK_SIZE+1][BLOCK_SIZE+1]; __shared__ int ref[BLOCK_SIZE][BLOCK_SIZE];
  if (tx == 0) temp[tx][0] = matrix_cuda[index_nw];
  for (int ty = 0; ty < BLOCK_SIZE; ty++) ref[ty][tx] = referrence[index + cols * ty];
  __syncthreads();
  temp[tx + 1][0] = matrix_cuda[index_nw + cols * (tx + 1)]; temp[0][tx + 1] = matrix_cuda[index_n];
  __syncthreads();
  for (int m = 0; m < BLOCK_SIZE; m++) {
    if (tx <= m) { int t_index_x = tx + 1, t_index_y = m - tx + 1;
      temp[t_index_y][t_index_x] = maximum(temp[t_index_y-1][t_index_x-1] + ref[t_index_y-1][t_index_x-1], temp[t_index_y][t_index_x-1] - penalty, temp[t_index_y-1][t_index_x] - penalty); }
    __syncthreads();
  }
  for (int ty = 0; ty < BLOCK_SIZE; ty++) matrix_cuda[index + ty * cols] = temp[ty+1][tx+1];
}
//// particlefilter 3
#define PI 3.1415926535897932
const int threads_per_block = 512;
texture<float> tex_CDF;
double *arrayX_dev;
__device__ double randu(int * seed, int index) {
  int M = INT_MAX, A = 1103515245, C = 12345, num = A * seed[index] + C;
  seed[index] = num % M; num = seed[index];
  return fabs(num / ((double) M));
}
__device__ double d_randn(int * seed, int index) {
  double u = randu(seed, index), v = randu(seed, index);
  return sqrt(-2 * log(u)) * cos(2 * PI * v);
}
__device__ double dev_round_double(double value) { int newValue = (int) (value); if (value - newValue < .5f) return newValue; else return newValue++; }
__global__ void likelihood_kernel(double * arrayX, double * xj, double * CDF, int * ind, int * objxy, double * likelihood, unsigned char * I, double * u, double * weights, int Nparticles, int countOnes, int max_size, int k, int IszY, int Nfr, int *seed, double * partial_sums) {
  int i = blockDim.x * blockIdx.x + threadIdx.x, y; int indX;
  __shared__ double buffer[512];
  if (i < Nparticles) { arrayX[i] = xj[i]; weights[i] = 1 / ((double) (Nparticles)); arrayX[i] = arrayX[i] + 1.0 + 5.0 * d_randn(seed, i); }
  __syncthreads();
  if (i < Nparticles) {
    for (y = 0; y < countOnes; y++) {
      indX = dev_round_double(arrayX[i]) + objxy[y * 2 + 1];
      ind[i * countOnes + y] = abs(indX * IszY * Nfr + k);
      if (ind[i * countOnes + y] >= max_size) ind[i * countOnes + y] = 0;
    }
    likelihood[i] = 0;
    for (y = 0; y < countOnes; y++) likelihood[i] += (pow((double)(I[ind[i * countOnes + y]] - 100), 2) - pow((double)(I[ind[i * countOnes + y]] - 228), 2)) / 50.0;
    weights[i] = weights[i] * exp(likelihood[i] / countOnes);
  }
  buffer[threadIdx.x] = 0.0;
  __syncthreads();
  if (i < Nparticles) buffer[threadIdx.x] = weights[i];
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) { if (threadIdx.x < s) buffer[threadIdx.x] += buffer[threadIdx.x + s]; __syncthreads(); }
  if (threadIdx.x == 0) partial_sums[blockIdx.x] = buffer[0];
}
__global__ void find_index_kernel(double * arrayX, double * CDF, double * u, double * xj, int Nparticles) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < Nparticles) {
    int index = -1;
    for (int x = 0; x < Nparticles; x++) if (CDF[x] >= u[i]) { index = x; break; }
    if (index == -1) index = Nparticles - 1;
    xj[i] = arrayX[index];
  }
  __syncthreads();
}
__global__ void kernel(float * arrayX, float * u, float * xj, int Nparticles) {
  int block_id = blockIdx.x, i = blockDim.x * block_id + threadIdx.x;
  if (i < Nparticles) { int index = 0; if (tex1Dfetch(tex_CDF, i) >= u[i]) index = i; xj[i] = arrayX[index]; }
}
//// pathfinder 0
#define BLOCK_SIZE 256
#define HALO 1
#define IN_RANGE(x, min, max) ((x)>=(min) && (x)<=(max))
#define MIN(a, b) ((a)<=(b) ? (a) : (b))
int rows, cols; int* data; int** wall; int* result;
#define M_SEED 9
int pyramid_height;
void init(int argc, char** argv) {
  if (argc == 4) { cols = atoi(argv[1]); rows = atoi(argv[2]); pyramid_height = atoi(argv[3]); } else { printf("Usage: dynproc row_len col_len pyramid_height\n"); exit(0); }
  data = new int[rows*cols]; wall = new int*[rows];
  for (int n = 0; n < rows; n++) wall[n] = data+cols*n;
  srand(M_SEED);
}
__global__ void dynproc_kernel(int iteration, int *gpuWall, int *gpuSrc, int *gpuResults, int cols, int rows, int startStep, int border) {
  __shared__ int prev[BLOCK_SIZE]; __shared__ int result[BLOCK_SIZE];
  int bx = blockIdx.x, tx = threadIdx.x;
  int small_block_cols = BLOCK_SIZE-iteration*HALO*2, blkX = small_block_cols*bx-border, blkXmax = blkX+BLOCK_SIZE-1, xidx = blkX+tx;
  int validXmin = (blkX < 0) ? -blkX : 0, validXmax = (blkXmax > cols-1) ? BLOCK_SIZE-1-(blkXmax-cols+1) : BLOCK_SIZE-1;
  int W = tx-1, E = tx+1;
  W = (W < validXmin) ? validXmin : W; E = (E > validXmax) ? validXmax : E;
  bool isValid = IN_RANGE(tx, validXmin, validXmax);
  if (IN_RANGE(xidx, 0, cols-1)) prev[tx] = gpuSrc[xidx];
  __syncthreads();
  bool computed;
  for (int i = 0; i < iteration; i++) {
    computed = false;
    if (IN_RANGE(tx, i+1, BLOCK_SIZE-i-2) && isValid) {
      computed = true; int shortest = MIN(prev[W], prev[tx]); shortest = MIN(shortest, prev[E]);
      result[tx] = shortest + gpuWall[cols*(startStep+i)+xidx];
    }
    __syncthreads();
    if (i == iteration-1) break;
    if (computed) prev[tx] = result[tx];
    __syncthreads();
  }
  if (computed) gpuResults[xidx] = result[tx];
}
int calc_path(int *gpuWall, int *gpuResult[2], int rows, int cols, int pyramid_height, int blockCols, int borderCols) {
  dim3 dimBlock(BLOCK_SIZE), dimGrid(blockCols); int src = 1, dst = 0;
  for (int t = 0; t < rows-1; t += pyramid_height) { int temp = src; src = dst; dst = temp;
    dynproc_kernel<<<dimGrid, dimBlock>>>(MIN(pyramid_height, rows-t-1), gpuWall, gpuResult[src], gpuResult[dst], cols, rows, t, borderCols); }
  return dst;
}
int main(int argc, char** argv) {
  init(argc, argv);
  int borderCols = (pyramid_height)*HALO, smallBlockCol = BLOCK_SIZE-(pyramid_height)*HALO*2, blockCols = cols/smallBlockCol+((cols%smallBlockCol==0)?0:1);
  int *gpuWall, *gpuResult[2]; int size = rows*cols;
  cudaMalloc((void**)&gpuResult[0], sizeof(int)*cols); cudaMalloc((void**)&gpuResult[1], sizeof(int)*cols);
  cudaMemcpy(gpuResult[0], data, sizeof(int)*cols, cudaMemcpyHostToDevice);
  cudaMalloc((void**)&gpuWall, sizeof(int)*(size-cols));
  int final_ret = calc_path(gpuWall, gpuResult, rows, cols, pyramid_height, blockCols, borderCols);
}
//// srad 3
#define NUMBER_THREADS 512
typedef float fp;
__global__ void extract(long d_Ne, fp *d_I) { int ei = (blockIdx.x*NUMBER_THREADS)+threadIdx.x; if (ei < d_Ne) d_I[ei] = exp(d_I[ei]/255); }
__global__ void reduce(long d_Ne, int d_no, int d_mul, fp *d_sums, fp *d_sums2) {
  int bx = blockIdx.x, tx = threadIdx.x, ei = (bx*NUMBER_THREADS)+tx, nf = NUMBER_THREADS-(gridDim.x*NUMBER_THREADS-d_no), df = 0;
  __shared__ fp d_psum[NUMBER_THREADS], d_psum2[NUMBER_THREADS]; int i;
  if (ei < d_no) { d_psum[tx] = d_sums[ei*d_mul]; d_psum2[tx] = d_sums2[ei*d_mul]; }
  __syncthreads();
  if (nf == NUMBER_THREADS) { for (i = 2; i <= NUMBER_THREADS; i = 2*i) { if ((tx+1) % i == 0) { d_psum[tx] = d_psum[tx] + d_psum[tx-i/2]; } __syncthreads(); }
    if (tx == (NUMBER_THREADS-1)) { d_sums[bx*d_mul*NUMBER_THREADS] = d_psum[tx]; d_sums2[bx*d_mul*NUMBER_THREADS] = d_psum2[tx]; } }
  else { if (bx != (gridDim.x - 1)) { if (tx == 0) d_sums[0] = 1; } else { for (i = 2; i <= NUMBER_THREADS; i = 2*i) if (nf >= i) df = i; if (tx == (df-1)) d_sums[bx*d_mul*NUMBER_THREADS] = d_psum[tx]; } }
}
#define BLOCK_SIZE 16
__global__ void srad_cuda_1(float *E_C, float *W_C, float *N_C, float *S_C, float * J_cuda, float * C_cuda, int cols, int rows, float q0sqr) {
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int index = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx + cols * ty + tx;
  int index_n = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx + tx - cols;
  float n, jc, g2, l, num, den, qsqr, c;
  __shared__ float temp[BLOCK_SIZE][BLOCK_SIZE], north[BLOCK_SIZE][BLOCK_SIZE];
  north[ty][tx] = J_cuda[index_n]; if (by == 0) north[ty][tx] = J_cuda[BLOCK_SIZE * bx + tx];
  __syncthreads();
  temp[ty][tx] = J_cuda[index]; __syncthreads();
  jc = temp[ty][tx]; if (ty == 0 && tx == 0) n = north[ty][tx] - jc; else n = temp[ty ? ty-1 : 0][tx] - jc;
  g2 = (n * n) / (jc * jc); l = n / jc; num = (0.5*g2) - ((1.0/16.0)*(l*l)); den = 1 + (.25*l); qsqr = num/(den*den);
  den = (qsqr-q0sqr) / (q0sqr * (1+q0sqr)); c = 1.0 / (1.0+den);
  if (c < 0) C_cuda[index] = 0; else if (c > 1) C_cuda[index] = 1; else C_cuda[index] = c;
  N_C[index] = n;
}
//// streamcluster 1
typedef struct { float weight; float *coord; long assign; float cost; } Point;
typedef struct { long num; int dim; Point *p; } Points;
__device__ float d_dist(int p1, int p2, int num, int dim, float *coord_d) {
  float retval = 0.0;
  for (int i = 0; i < dim; i++) { float tmp = coord_d[(i*num)+p1] - coord_d[(i*num)+p2]; retval += tmp * tmp; }
  return retval;
}
__global__ void kernel_compute_cost(int num, int dim, long x, Point *p, int K, int stride, float *coord_d, float *work_mem_d, int *center_table_d, bool *switch_membership_d) {
  const int bid = blockIdx.x + gridDim.x * blockIdx.y, tid = blockDim.x * bid + threadIdx.x;
  if (tid < num) {
    float *lower = &work_mem_d[tid*stride];
    float x_cost = d_dist(tid, x, num, dim, coord_d) * p[tid].weight;
    if (x_cost < p[tid].cost) { switch_membership_d[tid] = 1; lower[K] += x_cost - p[tid].cost; }
    else { lower[center_table_d[p[tid].assign]] += p[tid].cost - x_cost; }
  }
}
