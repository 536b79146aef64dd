// One element per thread, tiles of 32 x 32 in shared memory.
// launch: gemm<<<dim3(2, 2), dim3(32, 32)>>>(A: float[n * n], B: float[n * n], C: float[n * n], n = 64)
__global__ void gemm(const float *A, const float *B, float *C, int n)
{
    __shared__ float as[32 * 32];
    __shared__ float bs[32 * 32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    A += blockIdx.y * 32 * n;
    B += blockIdx.x * 32;
    C += blockIdx.y * 32 * n + blockIdx.x * 32;
    float sum = 0.0f;
    for (int block = 0; block < n; block += 32) {
        as[ty * 32 + tx] = A[ty * n + tx];
        bs[ty * 32 + tx] = B[ty * n + tx];
        __syncthreads();
        A += 32;
        B += 32 * n;
        for (int k = 0; k < 32; ++k)
            sum += as[ty * 32 + k] * bs[k * 32 + tx];
        __syncthreads();
    }
    C[ty * n + tx] = 2.0f * sum + 3.0f * C[ty * n + tx];
}
