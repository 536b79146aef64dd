// One warp per row, vectors of four.
// launch: matvec<<<2, 128>>>(A: float4[8 * n], x: float4[n], y: float[8], n = 64)
__global__ void matvec(const float4 *__restrict__ A, const float4 *__restrict__ x, float *y, int n)
{
    int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int i = lane; i < n; i += 32) {
        float4 a = A[row * n + i], b = x[i];
        sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (lane == 0)
        y[row] = sum;
}
