// Sum by a tree in shared memory: half of the threads drop out in every round. Global memory sees one coalesced load.
// launch: reduce_tree<<<(n + THREADS - 1) / THREADS, THREADS>>>(
//     data: float[n] = random(1), sums: float[(n + THREADS - 1) / THREADS] = zero, n = 65536)

#define THREADS 256

__global__ void reduce_tree(const float *data, float *sums, int n)
{
    __shared__ float part[THREADS];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? data[i] : 0.0f;
    __syncthreads();

    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}
