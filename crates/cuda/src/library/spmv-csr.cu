// Sparse matrix times vector, compressed rows, one row per thread: values and columns are read far apart by neighbouring
// lanes, x at random, and short rows leave lanes idle.
// launch: spmv_csr<<<(n + 127) / 128, 128>>>(
//     start: int[n + 1] = csr(n, entries, 7), column: int[entries] = csr(n, entries, 7),
//     value: float[entries] = csr(n, entries, 7), x: float[n] = random(2), y: float[n] = zero, n = 1024,
//     entries = 16384)

__global__ void spmv_csr(const int *start, const int *column, const float *value, const float *x, float *y, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        float sum = 0.0f;
        for (int k = start[row]; k < start[row + 1]; k++)
            sum += value[k] * x[column[k]];
        y[row] = sum;
    }
}
