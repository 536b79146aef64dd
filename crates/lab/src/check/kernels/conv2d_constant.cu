// Two-dimensional convolution of R rows from row F on of an image of S x H, mask of M x M in constant memory. The result is
// clamped in double, as in the timed program.
// launch: mask_constant<<<dim3((S + B - 1) / B, (R + B - 1) / B), dim3(B, B)>>>(in: float[S*H] = zero, cmask: float[225] = zero, out: float[S*H], m = M, s = S, rows = H, first = F, S = 256, H = 256, R = 256, F = 0, M = 5, B = 16)
__constant__ float cmask[225];
__device__ float cut(float x) { return min(max((double)x, 0.0), 1.0); }
__global__ void mask_constant(float *in, float *out, int m, int s, int rows, int first) {
    int y = first + blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= rows || x >= s) return;
    float sum = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            int v = y - m / 2 + i, u = x - m / 2 + j;
            if (v >= 0 && v < rows && u >= 0 && u < s) sum += in[v * s + u] * cmask[i * m + j];
        }
    out[y * s + x] = cut(sum);
}
