// Transposition through an unpadded shared tile of 16 x 16.
// launch: transposeCoalesced<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(out: float[n*n], in: float[n*n] = random(1), n = 512)
__global__ void transposeCoalesced(float *out, const float *in, int n) {
    __shared__ float tile[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    int u = blockIdx.y * 16 + threadIdx.x, v = blockIdx.x * 16 + threadIdx.y;
    out[v * n + u] = tile[threadIdx.x][threadIdx.y];
}
