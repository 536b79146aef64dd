// s = r A and q = A p, the two products of the biconjugate gradient method: one matrix, read by columns and by rows.
// launch: bicg_columns<<<(n + 63) / 64, 64>>>(
//     A: float[m * n] = random(1), r: float[m] = random(2), s: float[n] = zero, m = 192, n = 128)
// launch: bicg_rows<<<(m + 63) / 64, 64>>>(p: float[n] = random(3), q: float[m] = zero)

__global__ void bicg_columns(const float *A, const float *r, float *s, int m, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n) {
        float sum = 0.0f;
        for (int i = 0; i < m; i++)
            sum += r[i] * A[i * n + j];
        s[j] = sum;
    }
}

__global__ void bicg_rows(const float *A, const float *p, float *q, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m) {
        float sum = 0.0f;
        for (int j = 0; j < n; j++)
            sum += A[i * n + j] * p[j];
        q[i] = sum;
    }
}
