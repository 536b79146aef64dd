// A warp computes 32 x 64 elements in two halves, each thread 4 x 4 of each half.
// launch: gemm<<<1, 128>>>(A: float[64 * n], B: float[n * 128], C: float[64 * 128], n = 16)
#define BM 64
#define BN 128
#define BK 8
__global__ void __launch_bounds__(128) gemm(const float *A, const float *B, float *C, int n)
{
    __shared__ float as[BK * BM];
    __shared__ float bs[BK * BN];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int wrow = warp / 2 * 32, wcolumn = warp % 2 * 64;
    const int row = lane / 8 * 8, column = lane % 8 * 4;
    float results[8 * 8] = {0.0f};
    float m[8];
    float v[8];
    for (int block = 0; block < n; block += BK) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            int i = threadIdx.x + 128 * j;
            as[i % BK * BM + i / BK] = A[i / BK * n + block + i % BK];
        }
#pragma unroll
        for (int j = 0; j < 8; ++j)
            bs[threadIdx.x + 128 * j] = B[block * BN + threadIdx.x + 128 * j];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            for (int i = 0; i < 8; ++i)
                m[i] = as[k * BM + wrow + row + i];
            for (int h = 0; h < 2; ++h)
                for (int i = 0; i < 4; ++i)
                    v[h * 4 + i] = bs[k * BN + wcolumn + h * 32 + column + i];
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 8; ++j)
                    results[i * 8 + j] += m[i] * v[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i)
        for (int h = 0; h < 2; ++h)
            for (int j = 0; j < 4; ++j)
                C[(wrow + row + i) * BN + wcolumn + h * 32 + column + j] = results[i * 8 + h * 4 + j];
}
