// Sum by warp shuffles: lanes hand their sums over in registers, and shared memory holds one number per warp.
// launch: reduce_shuffle<<<16, 256>>>(data: float[n] = random(1), sums: float[16] = zero, n = 65536)

__device__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    return v;
}

__global__ void reduce_shuffle(const float *data, float *sums, int n)
{
    __shared__ float part[8];

    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += data[i];
    sum = warp_sum(sum);

    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = sum;
    __syncthreads();

    if (threadIdx.x < 32) {
        sum = warp_sum(threadIdx.x < 8 ? part[threadIdx.x] : 0.0f);
        if (threadIdx.x == 0)
            sums[blockIdx.x] = sum;
    }
}
