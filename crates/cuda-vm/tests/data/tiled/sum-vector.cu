// Sums vectors, then the lanes of a warp.
// launch: sum<<<1, 32>>>(in: float4[n], out: float[1], n = 1024)
__global__ void sum(const float4 *__restrict__ in, float *out, int n)
{
    float4 s = make_float4(0, 0, 0, 0);
    for (int i = threadIdx.x; i < n; i += 32) {
        float4 v = in[i];
        s.x += v.x;
        s.y += v.y;
        s.z += v.z;
        s.w += v.w;
    }
    float all = s.x + s.y + s.z + s.w;
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        all += __shfl_down_sync(0xffffffff, all, d);
    if (threadIdx.x == 0)
        out[0] = all;
}
