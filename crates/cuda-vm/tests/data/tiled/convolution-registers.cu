// A convolution of 5 x 5 with the filter in constant memory. Each thread computes a column of 4 outputs.
// launch: convolve<<<dim3(2, 4), dim3(32, 4)>>>(in: float[68 * 68], out: float[64 * 64], filter: float[25])
__constant__ float filter[25];
__global__ void convolve(const float *__restrict__ in, float *__restrict__ out)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = (blockIdx.y * 4 + threadIdx.y) * 4;
    float sum[4] = {0, 0, 0, 0};
#pragma unroll
    for (int r = 0; r < 8; ++r) {
#pragma unroll
        for (int c = 0; c < 5; ++c) {
            float v = in[(y + r) * 68 + x + c];
#pragma unroll
            for (int i = 0; i < 4; ++i)
                if (r - i >= 0 && r - i < 5)
                    sum[i] += v * filter[(r - i) * 5 + c];
        }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
        out[(y + i) * 64 + x] = sum[i];
}
