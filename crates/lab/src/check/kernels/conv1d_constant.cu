// One-dimensional convolution of n values with a mask of M in constant memory. The result is clamped in double, as in the timed program.
// launch: conv1d<<<(n + B - 1) / B, B>>>(in: float[n] = zero, cmask: float[225] = zero, out: float[n], size = n, m = M, n = 16384, M = 5, B = 512)
__constant__ float cmask[225];
__device__ float cut(float x) { return min(max((double)x, 0.0), 1.0); }
__global__ void conv1d(float *in, float *out, int m, int size) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= size) return;
    float sum = 0;
    for (int j = 0; j < m; j++) {
        int u = x - m / 2 + j;
        if (u >= 0 && u < size) sum += in[u] * cmask[j];
    }
    out[x] = cut(sum);
}
