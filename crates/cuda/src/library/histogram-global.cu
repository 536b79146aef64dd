// Histogram with global atomics: 256 counters in 8 lines take every update. The data is read once; the counters are what
// stays hot.
// launch: histogram_global<<<32, 256>>>(
//     data: unsigned int[n] = random(1, 0, BINS), bins: unsigned int[BINS] = zero, n = 65536)

#define BINS 256

__global__ void histogram_global(const unsigned *data, unsigned *bins, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&bins[data[i]], 1u);
}
