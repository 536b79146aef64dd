// Transposition: rows are read, columns are written.
// launch: transposeNaive<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(out: float[n*n], in: float[n*n] = random(1), n = 128)
__global__ void transposeNaive(float *out, const float *in, int n) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}
