// Forces on 4 bodies per thread from tiles of bodies in shared memory.
// launch: forces<<<1, 64>>>(body: float4[n], force: float4[256], n = 256)
__global__ void forces(const float4 *__restrict__ body, float4 *__restrict__ force, int n)
{
    __shared__ float4 tile[64];
    float4 own[4];
    float x[4] = {}, y[4] = {}, z[4] = {};
#pragma unroll
    for (int i = 0; i < 4; ++i)
        own[i] = body[threadIdx.x + 64 * i];
    for (int start = 0; start < n; start += 64) {
        tile[threadIdx.x] = body[start + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < 64; ++k) {
            float4 other = tile[k];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                float dx = other.x - own[i].x, dy = other.y - own[i].y, dz = other.z - own[i].z;
                float w = other.w * (dx * dx + dy * dy + dz * dz);
                x[i] += w * dx;
                y[i] += w * dy;
                z[i] += w * dz;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
        force[threadIdx.x + 64 * i] = make_float4(x[i], y[i], z[i], own[i].w);
}
