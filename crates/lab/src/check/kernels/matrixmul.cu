// Matrix product through shared tiles of 32 x 32, one element per thread, n a multiple of 32.
// launch: mult_gpu<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a: float[n*n] = random(1), b: float[n*n] = random(2), c: float[n*n], n = 32)
__global__ void mult_gpu(const float *a, const float *b, float *c, int n) {
    __shared__ float s[32][32], t[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    float sum = 0;
    for (int p = 0; p < n / 32; p++) {
        s[threadIdx.y][threadIdx.x] = a[y * n + p * 32 + threadIdx.x];
        t[threadIdx.y][threadIdx.x] = b[(p * 32 + threadIdx.y) * n + x];
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < 32; k++) sum += s[threadIdx.y][k] * t[k][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}
