// Products of 4 queries with each key of 32 elements. The queries stay in registers.
// launch: scores<<<1, 64>>>(q: float[32 * 4], k: float[n * 64 * 32], s: float[n * 64 * 4], n = 4)
__global__ void scores(const float *__restrict__ q, const float *__restrict__ k, float *__restrict__ s, int n)
{
    __shared__ float4 query[32];
    if (threadIdx.x < 32)
        query[threadIdx.x] = reinterpret_cast<const float4 *>(q)[threadIdx.x];
    __syncthreads();
    for (int b = 0; b < n; ++b) {
        const float4 *key = reinterpret_cast<const float4 *>(k + (b * 64 + threadIdx.x) * 32);
        float sum[4] = {};
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            float4 v = key[i];
            const float e[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                float4 w = query[4 * i + j];
                sum[0] += e[j] * w.x;
                sum[1] += e[j] * w.y;
                sum[2] += e[j] * w.z;
                sum[3] += e[j] * w.w;
            }
        }
        reinterpret_cast<float4 *>(s)[b * 64 + threadIdx.x] = make_float4(sum[0], sum[1], sum[2], sum[3]);
    }
}
