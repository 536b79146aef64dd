// A separable filter of 17 taps over rows in shared memory, with 4 outputs per thread.
// launch: rows<<<dim3(1, 8), dim3(32, 4)>>>(in: float[32 * 160], out: float[32 * 128], taps: float[17])
__constant__ float taps[17];
__global__ void rows(const float *in, float *out)
{
    __shared__ float line[4][160];
    int y = blockIdx.y * 4 + threadIdx.y;
#pragma unroll
    for (int i = 0; i < 5; ++i)
        line[threadIdx.y][threadIdx.x + 32 * i] = in[y * 160 + threadIdx.x + 32 * i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        float sum = 0;
#pragma unroll
        for (int k = 0; k < 17; ++k)
            sum += taps[k] * line[threadIdx.y][threadIdx.x + 32 * i + k];
        out[y * 128 + threadIdx.x + 32 * i] = sum;
    }
}
