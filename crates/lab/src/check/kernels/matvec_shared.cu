// The first K columns of a product of an N x N matrix and a vector of unsigned, one row a thread, the vector in shared memory.
// launch: vector_shared<<<(N + B - 1) / B, B, B*4>>>(out: unsigned[N], a: unsigned[N*N] = zero, v: unsigned[N] = zero, n = N, columns = K, N = 256, K = 256, B = 128)
__global__ void vector_shared(unsigned *out, unsigned *a, unsigned *v, int n, int columns) {
    extern __shared__ char memory[];
    unsigned *s = (unsigned *)memory, sum = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int p = 0; p < columns; p += blockDim.x) {
        s[threadIdx.x] = p + threadIdx.x < columns ? v[p + threadIdx.x] : 0;
        __syncthreads();
        if (i < n)
            for (int k = 0; k < blockDim.x && p + k < columns; k++) sum += a[i * n + p + k] * s[k];
        __syncthreads();
    }
    if (i < n) out[i] = sum;
}
