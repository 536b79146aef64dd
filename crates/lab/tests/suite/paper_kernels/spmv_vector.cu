// Sparse matrix times vector with a warp to each row, as vector_kernel of Table IV (SHOC spmv).
// launch: spmv_vector<<<n / 4, 128>>>(
//     val: float[entries] = csr(n, entries, 7), cols: int[entries] = csr(n, entries, 7),
//     rowD: int[n + 1] = csr(n, entries, 7), vec: float[n] = random(2), out: float[n] = zero, n = 512,
//     entries = 32768)

__global__ void spmv_vector(const float *val, const int *cols, const int *rowD, const float *vec, float *out, int n)
{
    __shared__ float partial[128];
    int t = threadIdx.x;
    int lane = t & 31;
    int row = blockIdx.x * 4 + t / 32;
    int first = rowD[row];
    int last = rowD[row + 1];
    float sum = 0.0f;
    for (int j = first + lane; j < last; j += 32)
        sum += val[j] * vec[cols[j]];
    partial[t] = sum;
    __syncthreads();
    if (lane < 16)
        partial[t] += partial[t + 16];
    __syncthreads();
    if (lane < 8)
        partial[t] += partial[t + 8];
    __syncthreads();
    if (lane == 0) {
        float all = 0.0f;
        for (int i = 0; i < 8; i++)
            all += partial[t + i];
        out[row] = all;
    }
}
