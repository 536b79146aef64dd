// Each thread multiplies two matrices of 4 x 4 in registers.
// launch: multiply<<<2, 64>>>(A: float4[512], B: float4[512], C: float4[512])
__global__ void multiply(const float4 *__restrict__ A, const float4 *__restrict__ B, float4 *__restrict__ C)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float4 b[4];
    for (int i = 0; i < 4; ++i)
        b[i] = B[4 * t + i];
    for (int i = 0; i < 4; ++i) {
        float4 a = A[4 * t + i];
        float4 c;
        c.x = a.x * b[0].x + a.y * b[1].x + a.z * b[2].x + a.w * b[3].x;
        c.y = a.x * b[0].y + a.y * b[1].y + a.z * b[2].y + a.w * b[3].y;
        c.z = a.x * b[0].z + a.y * b[1].z + a.z * b[2].z + a.w * b[3].z;
        c.w = a.x * b[0].w + a.y * b[1].w + a.z * b[2].w + a.w * b[3].w;
        C[4 * t + i] = c;
    }
}
