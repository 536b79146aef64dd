// Pointer chase: each load gives the address of the next, so the time of a round is the latency of a load, whatever level
// answers. Vary the size and find the capacity.
// launch: pointer_chase<<<1, 1>>>(next: int[n] = cycle(3), last: int[1] = zero, steps = 4096, n = 2048)

__global__ void pointer_chase(const int *next, int *last, int steps)
{
    int at = 0;
    for (int i = 0; i < steps; i++)
        at = next[at];
    *last = at;
}
