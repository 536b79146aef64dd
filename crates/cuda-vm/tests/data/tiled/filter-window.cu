// A filter of 9 taps along columns. A window of registers moves with the rows.
// launch: filter<<<1, 64>>>(in: float[(n + 8) * 64], out: float[n * 64], n = 16)
__global__ void filter(const float *__restrict__ in, float *__restrict__ out, int n)
{
    float w[9];
#pragma unroll
    for (int i = 0; i < 8; ++i)
        w[i] = in[i * 64 + threadIdx.x];
    for (int y = 0; y < n; ++y) {
        w[8] = in[(y + 8) * 64 + threadIdx.x];
        float sum = 0;
#pragma unroll
        for (int i = 0; i < 9; ++i)
            sum += w[i] * (float)(i - 4);
        out[y * 64 + threadIdx.x] = sum;
#pragma unroll
        for (int i = 0; i < 8; ++i)
            w[i] = w[i + 1];
    }
}
