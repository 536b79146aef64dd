// Two-dimensional convolution of R rows from row F on of an image of S x H, mask of M x M in constant memory, input in
// shared memory. The result is clamped in double, as in the timed program.
// launch: input_shared<<<dim3((S + B - M) / (B - M + 1), (R + B - M) / (B - M + 1)), dim3(B, B), B*B*4>>>(in: float[S*H] = zero, cmask: float[225] = zero, out: float[S*H], m = M, s = S, rows = H, first = F, S = 256, H = 256, R = 256, F = 0, M = 5, B = 16)
__constant__ float cmask[225];
__device__ float cut(float x) { return min(max((double)x, 0.0), 1.0); }
__global__ void input_shared(float *in, float *out, int m, int s, int rows, int first) {
    extern __shared__ float t[];
    int ow = blockDim.x - m + 1, oh = blockDim.y - m + 1, tx = threadIdx.x, ty = threadIdx.y;
    int y = first + blockIdx.y * oh + ty, x = blockIdx.x * ow + tx, v = y - m / 2, u = x - m / 2;
    t[ty * blockDim.x + tx] = v >= 0 && v < rows && u >= 0 && u < s ? in[v * s + u] : 0.0f;
    __syncthreads();
    if (ty < oh && tx < ow && y < rows && x < s) {
        float sum = 0;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++) sum += t[(ty + i) * blockDim.x + tx + j] * cmask[i * m + j];
        out[y * s + x] = cut(sum);
    }
}
