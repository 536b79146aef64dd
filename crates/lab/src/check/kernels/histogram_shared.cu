// Histogram of n values with 512 bins in shared memory, one value a thread. All values fall in bin 0, as in the measurement.
// launch: bins_shared<<<(n + B - 1) / B, B, 2048>>>(in: unsigned[n] = zero, bins: unsigned[512], n = 16384, m = 512, B = 512)
__global__ void bins_shared(unsigned *in, unsigned *bins, unsigned n, unsigned m) {
    extern __shared__ unsigned s[];
    for (unsigned i = threadIdx.x; i < m; i += blockDim.x) s[i] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&s[in[i]], 1u);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < m; i += blockDim.x) atomicAdd(&bins[i], s[i]);
}
