// Prefix sum of each block in shared memory, doubling the reach in every round between two buffers.
// launch: scan<<<blocks, THREADS>>>(
//     data: int[blocks * THREADS] = random(1, 0, 100), sums: int[blocks * THREADS] = zero, blocks = 64)

#define THREADS 256

__global__ void scan(const int *data, int *sums)
{
    __shared__ int buffer[2][THREADS];
    int t = threadIdx.x;
    int i = blockIdx.x * THREADS + t;
    int from = 0;
    buffer[from][t] = data[i];
    __syncthreads();

    for (int reach = 1; reach < THREADS; reach *= 2) {
        int v = buffer[from][t];
        if (t >= reach)
            v += buffer[from][t - reach];
        from = 1 - from;
        buffer[from][t] = v;
        __syncthreads();
    }
    sums[i] = buffer[from][t];
}
