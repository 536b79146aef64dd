// Two-dimensional convolution of an image of S x R, mask of M x M in constant memory. The result is clamped in double, as in the
// timed program.
// launch: mask_constant<<<dim3((S + B - 1) / B, (R + B - 1) / B), dim3(B, B)>>>(in: float[S*R] = zero, cmask: float[225] = zero, out: float[S*R], m = M, s = S, rows = R, S = 256, R = 256, M = 5, B = 16)
__constant__ float cmask[225];
__device__ float cut(float x) { return min(max((double)x, 0.0), 1.0); }
__global__ void mask_constant(float *in, float *out, int m, int s, int rows) {
    int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= rows || x >= s) return;
    float sum = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            int v = y - m / 2 + i, u = x - m / 2 + j;
            if (v >= 0 && v < rows && u >= 0 && u < s) sum += in[v * s + u] * cmask[i * m + j];
        }
    out[y * s + x] = cut(sum);
}
