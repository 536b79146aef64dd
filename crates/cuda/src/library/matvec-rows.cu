// Matrix times vector, one row per thread: neighbouring threads read rows that lie far apart, so every lane needs a line
// of its own. Count the requests per load, then compare with the transposed layout.
// launch: matvec_rows<<<(rows + 255) / 256, 256>>>(
//     A: float[rows * columns] = random(1), x: float[columns] = random(2), y: float[rows] = zero, rows = 512,
//     columns = 192)

__global__ void matvec_rows(const float *A, const float *x, float *y, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows) {
        float sum = 0.0f;
        for (int j = 0; j < columns; j++)
            sum += A[i * columns + j] * x[j];
        y[i] = sum;
    }
}
