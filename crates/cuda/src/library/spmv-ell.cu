// Sparse matrix times vector, ELLPACK: equally long rows stored column by column, so neighbouring lanes share the lines of
// values and columns. Only x is still read at random.
// launch: spmv_ell<<<(n + 127) / 128, 128>>>(
//     column: int[n * width] = ell(n, width, 7), value: float[n * width] = ell(n, width, 7), x: float[n] = random(2),
//     y: float[n] = zero, n = 1024, width = 16)

__global__ void spmv_ell(const int *column, const float *value, const float *x, float *y, int n, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        float sum = 0.0f;
        for (int k = 0; k < width; k++) {
            int c = column[k * n + row];
            sum += value[k * n + row] * x[c];
        }
        y[row] = sum;
    }
}
