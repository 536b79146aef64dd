// Each thread computes 8 x 8 elements from two register fragments.
// launch: gemm<<<1, 256>>>(A: float[128 * n], B: float[n * 128], C: float[128 * 128], n = 16)
#define BM 128
#define BN 128
#define BK 8
#define TM 8
#define TN 8
__global__ void gemm(const float *A, const float *B, float *C, int n)
{
    __shared__ float as[BM * BK];
    __shared__ float bs[BK * BN];
    const int column = threadIdx.x % (BN / TN), row = threadIdx.x / (BN / TN);
    const int arow = threadIdx.x / BK, acolumn = threadIdx.x % BK;
    const int brow = threadIdx.x / BN, bcolumn = threadIdx.x % BN;
    float results[TM * TN] = {0.0f};
    float m[TM] = {0.0f};
    float v[TN] = {0.0f};
    for (int block = 0; block < n; block += BK) {
        for (int i = 0; i < BM; i += 32)
            as[(arow + i) * BK + acolumn] = A[(arow + i) * n + acolumn];
        for (int i = 0; i < BK; i += 2)
            bs[(brow + i) * BN + bcolumn] = B[(brow + i) * BN + bcolumn];
        __syncthreads();
        A += BK;
        B += BK * BN;
        for (int k = 0; k < BK; ++k) {
            for (int i = 0; i < TM; ++i)
                m[i] = as[(row * TM + i) * BK + k];
            for (int i = 0; i < TN; ++i)
                v[i] = bs[k * BN + column * TN + i];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    results[i * TN + j] += m[i] * v[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
            C[(row * TM + i) * BN + column * TN + j] = results[i * TN + j];
}
