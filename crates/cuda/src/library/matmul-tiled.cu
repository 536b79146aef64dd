// Matrix multiply through shared memory: each element comes from global memory once per tile instead of once per product.
// launch: matmul_tiled<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(
//     A: float[n * n] = random(1), B: float[n * n] = random(2), C: float[n * n] = zero, n = 128)

#define TILE 16

__global__ void matmul_tiled(const float *A, const float *B, float *C, int n)
{
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * TILE + tx;
    int row = blockIdx.y * TILE + ty;

    float sum = 0.0f;
    for (int t = 0; t < n; t += TILE) {
        a[ty][tx] = A[row * n + t + tx];
        b[ty][tx] = B[(t + ty) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    C[row * n + column] = sum;
}
