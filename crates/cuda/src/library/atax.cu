// y = Aᵀ(A x), two launches: the first walks rows and scatters its lanes over lines, the second walks columns of the same
// matrix and is coalesced.
// launch: atax_rows<<<(m + 63) / 64, 64>>>(
//     A: float[m * n] = random(1), x: float[n] = random(2), t: float[m] = zero, m = 192, n = 128)
// launch: atax_columns<<<(n + 63) / 64, 64>>>(y: float[n] = zero)

__global__ void atax_rows(float *A, float *x, float *t, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m) {
        t[i] = 0.0f;
        for (int j = 0; j < n; j++)
            t[i] += A[i * n + j] * x[j];
    }
}

__global__ void atax_columns(float *A, float *t, float *y, int m, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n) {
        y[j] = 0.0f;
        for (int i = 0; i < m; i++)
            y[j] += A[i * n + j] * t[i];
    }
}
