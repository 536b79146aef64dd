// Figure 8 of HPCA'14: one thread per warp makes independent loads, each to a line of its own. How many are under way at
// once is the number of MSHRs.
// launch: mb_mshr<<<1, 32 * warps>>>(memory: int[32 * 32 * warps * LOADS] = iota, time: int[warps] = zero, warps = 8)

#define LOADS 8

__global__ void mb_mshr(volatile int *memory, int *time)
{
    int t = threadIdx.x;
    if (t % 32 == 0) {
        int start = clock();
        for (int i = 0; i < LOADS; i++)
            memory[32 * (t + i * blockDim.x)];
        time[t / 32] = clock() - start;
    }
}
