// Histogram with a private copy per block in shared memory: the global counters are touched once per block at the end.
// launch: histogram_private<<<32, 256>>>(
//     data: unsigned int[n] = random(1, 0, BINS), bins: unsigned int[BINS] = zero, n = 65536)

#define BINS 256

__global__ void histogram_private(const unsigned *data, unsigned *bins, int n)
{
    __shared__ unsigned mine[BINS];
    mine[threadIdx.x] = 0;
    __syncthreads();

    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&mine[data[i]], 1u);
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
