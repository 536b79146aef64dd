// A star of radius 2 whose points along z are a queue in a register array.
// launch: star<<<dim3(1, 4), dim3(32, 4)>>>(in: float[(n + 4) * 20 * 36], out: float[n * 16 * 32], n = 8)
__global__ void star(const float *__restrict__ in, float *__restrict__ out, int n)
{
    const int x = threadIdx.x + 2, y = blockIdx.y * 4 + threadIdx.y + 2, at = y * 36 + x;
    float q[5];
#pragma unroll
    for (int i = 0; i < 4; ++i)
        q[i] = in[i * 720 + at];
    for (int z = 0; z < n; ++z) {
        q[4] = in[(z + 4) * 720 + at];
        float sum = 0.5f * q[2];
#pragma unroll
        for (int r = 1; r <= 2; ++r) {
            const float *p = in + (z + 2) * 720 + at;
            sum += q[2 - r] + q[2 + r] + p[-r] + p[r] + p[-36 * r] + p[36 * r];
        }
        out[z * 512 + (y - 2) * 32 + x - 2] = sum;
#pragma unroll
        for (int i = 0; i < 4; ++i)
            q[i] = q[i + 1];
    }
}
