// Scales rows of 256 by their maximum. A warp keeps its row in registers.
// launch: scale<<<2, 128>>>(in: float[8 * 256], out: float[8 * 256])
__global__ void scale(const float *in, float *out)
{
    int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float v[8];
    float most = -1e30f;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        v[i] = in[row * 256 + i * 32 + lane];
        most = fmaxf(most, v[i]);
    }
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, d));
#pragma unroll
    for (int i = 0; i < 8; ++i)
        out[row * 256 + i * 32 + lane] = v[i] - most;
}
