// Histogram of n values with 512 bins in global memory, one value a thread. All values fall in bin 0, as in the measurement.
// launch: bins_global<<<(n + B - 1) / B, B>>>(in: unsigned[n] = zero, bins: unsigned[512], n = 16384, m = 512, B = 512)
__global__ void bins_global(unsigned *in, unsigned *bins, unsigned n, unsigned m) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, step = blockDim.x * gridDim.x;
    for (unsigned i = t; i < m; i += step) bins[i] = 0;
    __syncthreads();
    for (unsigned i = t; i < n; i += step) atomicAdd(&bins[in[i]], 1u);
}
