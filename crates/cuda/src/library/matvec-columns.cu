// Matrix times vector, transposed layout: the same sum with the matrix stored column by column. Neighbouring lanes share
// lines: a load of the matrix asks for one line, not 32.
// launch: matvec_columns<<<(rows + 255) / 256, 256>>>(
//     A: float[rows * columns] = random(1), x: float[columns] = random(2), y: float[rows] = zero, rows = 512,
//     columns = 192)

__global__ void matvec_columns(const float *A, const float *x, float *y, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows) {
        float sum = 0.0f;
        for (int j = 0; j < columns; j++)
            sum += A[j * rows + i] * x[j];
        y[i] = sum;
    }
}
