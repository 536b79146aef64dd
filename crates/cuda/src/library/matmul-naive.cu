// Matrix multiply, naive: each thread walks a row of A and a column of B. Which array misses, and does a larger L1 help?
// launch: matmul_naive<<<dim3(n / 16, n / 8), dim3(16, 8)>>>(
//     A: float[n * n] = random(1), B: float[n * n] = random(2), C: float[n * n] = zero, n = 96)

__global__ void matmul_naive(const float *A, const float *B, float *C, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;

    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += A[row * n + k] * B[k * n + column];
    C[row * n + column] = sum;
}
