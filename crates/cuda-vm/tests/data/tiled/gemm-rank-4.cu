// C += A B with four columns of A at a time, without shared memory.
// launch: gemm<<<4, 64>>>(A: float4[64 * n], B: float4[n * 4 * 64], C: float4[64 * 64], n = 4)
__global__ void gemm(const float4 *__restrict__ A, const float4 *__restrict__ B, float4 *__restrict__ C, int n)
{
    const int row = blockIdx.x * 16 + threadIdx.x / 16 * 4, column = threadIdx.x % 16;
    float4 c[4];
    for (int i = 0; i < 4; ++i)
        c[i] = C[(row + i) * 16 + column];
    for (int k = 0; k < n; ++k) {
        float4 b0 = B[(4 * k + 0) * 16 + column];
        float4 b1 = B[(4 * k + 1) * 16 + column];
        float4 b2 = B[(4 * k + 2) * 16 + column];
        float4 b3 = B[(4 * k + 3) * 16 + column];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            float4 a = A[(row + i) * n + k];
            c[i].x += a.x * b0.x + a.y * b1.x + a.z * b2.x + a.w * b3.x;
            c[i].y += a.x * b0.y + a.y * b1.y + a.z * b2.y + a.w * b3.y;
            c[i].z += a.x * b0.z + a.y * b1.z + a.z * b2.z + a.w * b3.z;
            c[i].w += a.x * b0.w + a.y * b1.w + a.z * b2.w + a.w * b3.w;
        }
    }
    for (int i = 0; i < 4; ++i)
        C[(row + i) * 16 + column] = c[i];
}
