// The first R rows of a product of N x N matrices of unsigned with K terms a sum, both read from global memory.
// launch: global_both<<<dim3(N / B, R / B), dim3(B, B)>>>(a: unsigned[N*R] = zero, b: unsigned[N*N] = zero, c: unsigned[N*R], n = N, rows = R, terms = K, N = 128, R = 128, K = 128, B = 16)
__global__ void global_both(unsigned *a, unsigned *b, unsigned *c, int n, int rows, int terms) {
    int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= rows || x >= n) return;
    unsigned sum = 0;
    for (int k = 0; k < terms; k++) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
