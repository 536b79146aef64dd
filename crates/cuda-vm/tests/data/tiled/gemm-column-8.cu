// Each thread computes a column of 8 elements, with the element of B in a register.
// launch: gemm<<<dim3(1, 1), 512>>>(A: float[64 * n], B: float[n * 64], C: float[64 * 64], n = 16)
#define BM 64
#define BN 64
#define BK 8
#define TM 8
__global__ void gemm(const float *A, const float *B, float *C, int n)
{
    __shared__ float as[BM * BK];
    __shared__ float bs[BK * BN];
    const int column = threadIdx.x % BN, row = threadIdx.x / BN;
    const int arow = threadIdx.x / BK, acolumn = threadIdx.x % BK;
    float results[TM] = {0.0f};
    for (int block = 0; block < n; block += BK) {
        as[arow * BK + acolumn] = A[arow * n + acolumn];
        bs[row * BN + column] = B[row * BN + column];
        __syncthreads();
        A += BK;
        B += BK * BN;
        for (int k = 0; k < BK; ++k) {
            float b = bs[k * BN + column];
            for (int i = 0; i < TM; ++i)
                results[i] += as[(row * TM + i) * BK + k] * b;
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        C[(row * TM + i) * BN + column] = results[i];
}
