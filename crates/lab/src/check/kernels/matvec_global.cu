// The first K columns of a product of an N x N matrix and a vector of unsigned, one row a thread, the vector in global memory.
// launch: vector_global<<<(N + B - 1) / B, B>>>(out: unsigned[N], a: unsigned[N*N] = zero, v: unsigned[N] = zero, n = N, columns = K, N = 256, K = 256, B = 128)
__global__ void vector_global(unsigned *out, unsigned *a, unsigned *v, int n, int columns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned sum = 0;
    for (int k = 0; k < columns; k++) sum += a[i * n + k] * v[k];
    out[i] = sum;
}
