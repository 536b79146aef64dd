// A filter of n taps whose reads are guarded at the ends of the row.
// launch: filter<<<2, 64>>>(in: float[128] = random(1), mask: float[n], out: float[128], size = 128, n = 16)
__global__ void filter(const float *in, const float *mask, float *out, int size, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < n; j++) {
        int at = i - n / 2 + j;
        if (at >= 0 && at < size)
            sum += in[at] * mask[j];
    }
    out[i] = sum;
}
