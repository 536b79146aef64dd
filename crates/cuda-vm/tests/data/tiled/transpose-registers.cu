// Each thread transposes 4 x 4 elements in registers.
// launch: transpose<<<4, 64>>>(in: float4[64 * 16], out: float4[64 * 16])
__global__ void transpose(const float4 *__restrict__ in, float4 *__restrict__ out)
{
    int t = blockIdx.x * 64 + threadIdx.x, x = t % 16, y = t / 16;
    float m[4][4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        float4 v = in[(4 * y + i) * 16 + x];
        m[i][0] = v.x;
        m[i][1] = v.y;
        m[i][2] = v.z;
        m[i][3] = v.w;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
        out[(4 * x + i) * 16 + y] = make_float4(m[0][i], m[1][i], m[2][i], m[3][i]);
}
