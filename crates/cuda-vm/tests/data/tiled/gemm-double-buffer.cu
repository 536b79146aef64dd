// The next tiles are loaded into registers while the current ones are used.
// launch: gemm<<<1, 256>>>(A: float[64 * n], B: float[n * 64], C: float[64 * 64], n = 64)
#define T 16
__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n)
{
    __shared__ float as[2][T][65];
    __shared__ float bs[2][T][64];
    const int t = threadIdx.x, row = t / 16 * 4, column = t % 16 * 4;
    float c[4][4] = {};
    float pa[4], pb[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        as[0][t % 16][t / 16 + 16 * i] = A[(t / 16 + 16 * i) * n + t % 16];
        bs[0][t / 64 + 4 * i][t % 64] = B[(t / 64 + 4 * i) * 64 + t % 64];
    }
    __syncthreads();
    int now = 0;
    for (int block = T; block < n; block += T) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            pa[i] = A[(t / 16 + 16 * i) * n + block + t % 16];
            pb[i] = B[(block + t / 64 + 4 * i) * 64 + t % 64];
        }
#pragma unroll
        for (int k = 0; k < T; ++k) {
            float a[4], b[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                a[i] = as[now][k][row + i];
                b[i] = bs[now][k][column + i];
            }
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    c[i][j] += a[i] * b[j];
        }
        now ^= 1;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            as[now][t % 16][t / 16 + 16 * i] = pa[i];
            bs[now][t / 64 + 4 * i][t % 64] = pb[i];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
            C[(row + i) * 64 + column + j] = c[i][j];
}
