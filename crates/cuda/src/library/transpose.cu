// Transpose, naive: the reads go down columns, so each load asks for 32 lines. Many are already on their way for a
// neighbouring warp: latency misses.
// launch: transpose<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(
//     source: float[n * n] = random(1), target: float[n * n] = zero, n = 256)

__global__ void transpose(const float *source, float *target, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 8 + threadIdx.y;
    target[y * n + x] = source[x * n + y];
}
