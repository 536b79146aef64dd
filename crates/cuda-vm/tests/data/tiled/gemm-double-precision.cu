// 4 x 4 doubles per thread.
// launch: gemm<<<1, 256>>>(A: double[64 * n], B: double[n * 64], C: double[64 * 64], n = 16)
__global__ void gemm(const double *A, const double *B, double *C, int n)
{
    __shared__ double as[8][64];
    __shared__ double bs[8][64];
    const int t = threadIdx.x, row = t / 16 * 4, column = t % 16 * 4;
    double c[4][4] = {};
    for (int block = 0; block < n; block += 8) {
        as[t % 8][t / 8] = A[t / 8 * n + block + t % 8];
        as[t % 8][t / 8 + 32] = A[(t / 8 + 32) * n + block + t % 8];
        bs[t / 64][t % 64] = B[(block + t / 64) * 64 + t % 64];
        bs[t / 64 + 4][t % 64] = B[(block + t / 64 + 4) * 64 + t % 64];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; ++k)
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    c[i][j] += as[k][row + i] * bs[k][column + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            C[(row + i) * 64 + column + j] = c[i][j];
}
