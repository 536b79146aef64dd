// The first R rows of a product of N x N matrices of unsigned with K terms a sum, both read through tiles in shared memory.
// launch: shared_both<<<dim3(N / B, R / B), dim3(B, B), 2*B*B*4>>>(a: unsigned[N*R] = zero, b: unsigned[N*N] = zero, c: unsigned[N*R], n = N, rows = R, terms = K, N = 128, R = 128, K = 128, B = 16)
__global__ void shared_both(unsigned *a, unsigned *b, unsigned *c, int n, int rows, int terms) {
    int w = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    extern __shared__ char memory[];
    unsigned *s = (unsigned *)memory, *t = s + w * w;
    int y = blockIdx.y * w + ty, x = blockIdx.x * w + tx;
    unsigned sum = 0;
    for (int p = 0; p < (terms + w - 1) / w; p++) {
        s[ty * w + tx] = y < rows && p * w + tx < n ? a[y * n + p * w + tx] : 0;
        t[ty * w + tx] = p * w + ty < n && x < n ? b[(p * w + ty) * n + x] : 0;
        __syncthreads();
        for (int k = 0; k < w; k++) sum += s[ty * w + k] * t[k * w + tx];
        __syncthreads();
    }
    if (y < rows && x < n) c[y * n + x] = sum;
}
