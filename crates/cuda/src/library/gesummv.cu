// y = alpha A x + beta B x: two matrices walked by rows compete for the same cache. What is left of the locality?
// launch: gesummv<<<(n + 63) / 64, 64>>>(
//     A: float[n * n] = random(1), B: float[n * n] = random(2), x: float[n] = random(3), y: float[n] = zero,
//     alpha = 1.5, beta = 0.5, n = 128)

__global__ void gesummv(const float *A, const float *B, const float *x, float *y, float alpha, float beta, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float a = 0.0f, b = 0.0f;
        for (int j = 0; j < n; j++) {
            a += A[i * n + j] * x[j];
            b += B[i * n + j] * x[j];
        }
        y[i] = alpha * a + beta * b;
    }
}
