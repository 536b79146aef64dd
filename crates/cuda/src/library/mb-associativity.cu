// Figure 5 of HPCA'14: stage 1 fills a 16 KB L1, stage 2 pushes one more line in, stage 3 loads everything again. Sweep
// the victim: the lines that miss in stage 3 share its set.
// launch: mb_associativity<<<1, 128>>>(
//     memory: int[32 * 128 + victim + 1] = iota, time: int[32 * 128] = zero, victim = 4096)

__global__ void mb_associativity(volatile int *memory, int *time, int victim)
{
    int t = threadIdx.x;
    for (int i = 0; i < 32; i++)
        memory[t + i * 128];

    if (t == 0)
        memory[victim];

    for (int i = 0; i < 32; i++) {
        int start = clock();
        memory[t + i * 128];
        time[t + i * 128] = clock() - start;
    }
}
