// C = A (m x n) * B (n x p), one element per thread.
// launch: mult_gpu<<<dim3((p + 31) / 32, (m + 31) / 32), dim3(32, 32)>>>(a: float[m*n] = random(1), b: float[n*p] = random(2), c: float[m*p], m = 128, n = 128, p = 128)
__global__ void mult_gpu(const float *a, const float *b, float *c, int m, int n, int p) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && col < p) {
        float sum = 0;
        for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * p + col];
        c[row * p + col] = sum;
    }
}
