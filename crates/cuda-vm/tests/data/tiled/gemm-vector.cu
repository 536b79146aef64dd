// As gemm-square-8 with accesses of 16 bytes. A is transposed on its way to shared memory.
// launch: gemm<<<1, 256>>>(A: float[128 * n], B: float[n * 128], C: float[128 * 128], n = 16)
#define BM 128
#define BN 128
#define BK 8
#define TM 8
#define TN 8
__global__ void gemm(float *A, float *B, float *C, int n)
{
    __shared__ float as[BM * BK];
    __shared__ float bs[BK * BN];
    const unsigned column = threadIdx.x % (BN / TN), row = threadIdx.x / (BN / TN);
    const unsigned arow = threadIdx.x / (BK / 4), acolumn = threadIdx.x % (BK / 4);
    const unsigned brow = threadIdx.x / (BN / 4), bcolumn = threadIdx.x % (BN / 4);
    float results[TM * TN] = {0.0f};
    float m[TM];
    float v[TN];
    for (unsigned block = 0; block < n; block += BK) {
        float4 a = reinterpret_cast<float4 *>(&A[arow * n + acolumn * 4])[0];
        as[(acolumn * 4 + 0) * BM + arow] = a.x;
        as[(acolumn * 4 + 1) * BM + arow] = a.y;
        as[(acolumn * 4 + 2) * BM + arow] = a.z;
        as[(acolumn * 4 + 3) * BM + arow] = a.w;
        reinterpret_cast<float4 *>(&bs[brow * BN + bcolumn * 4])[0] = reinterpret_cast<float4 *>(&B[brow * BN + bcolumn * 4])[0];
        __syncthreads();
        A += BK;
        B += BK * BN;
        for (unsigned k = 0; k < BK; ++k) {
            for (unsigned i = 0; i < TM; ++i)
                m[i] = as[k * BM + row * TM + i];
            for (unsigned i = 0; i < TN; ++i)
                v[i] = bs[k * BN + column * TN + i];
            for (unsigned i = 0; i < TM; ++i)
                for (unsigned j = 0; j < TN; ++j)
                    results[i * TN + j] += m[i] * v[j];
        }
        __syncthreads();
    }
    for (unsigned i = 0; i < TM; i += 1) {
        for (unsigned j = 0; j < TN; j += 4) {
            float4 c;
            c.x = results[i * TN + j];
            c.y = results[i * TN + j + 1];
            c.z = results[i * TN + j + 2];
            c.w = results[i * TN + j + 3];
            reinterpret_cast<float4 *>(&C[(row * TM + i) * BN + column * TN + j])[0] = c;
        }
    }
}
