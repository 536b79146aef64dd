// Parboil sgemm, medium: C (M x N) = A (M x K) * B (K x N), column major, B transposed; 16 x 8 threads, each 16 outputs of a row.
// launch: mysgemmNT<<<dim3(M / 128, N / 16), dim3(16, 8)>>>(A: float[M * K] = random(1), lda = M, B: float[N * K] = random(2), ldb = N, C: float[M * N] = zero, ldc = M, k = K, alpha = 1.0, beta = 0.0, M = 1024, N = 1056, K = 992)
__global__ void mysgemmNT(const float *A, int lda, const float *B, int ldb, float *C, int ldc, int k, float alpha, float beta) {
    float c[16];
    for (int i = 0; i < 16; i++) c[i] = 0.0f;
    int mid = threadIdx.y * blockDim.x + threadIdx.x;
    int m = blockIdx.x * 128 + mid;
    int n = blockIdx.y * 16 + threadIdx.x;
    __shared__ float b_s[8][16];
    for (int i = 0; i < k; i += 8) {
        float a;
        b_s[threadIdx.y][threadIdx.x] = B[n + (i + threadIdx.y) * ldb];
        __syncthreads();
        for (int j = 0; j < 8; j++) {
            a = A[m + (i + j) * lda];
            for (int kk = 0; kk < 16; kk++) c[kk] += a * b_s[j][kk];
        }
        __syncthreads();
    }
    int t = ldc * blockIdx.y * 16 + m;
    for (int i = 0; i < 16; i++) C[t + i * ldc] = C[t + i * ldc] * beta + alpha * c[i];
}
