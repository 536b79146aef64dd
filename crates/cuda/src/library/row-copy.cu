// Figure 3 of HPCA'14: each thread copies a row of 1,024 floats, so a line is used 32 times by one thread, if it
// survives that long. Vary the number of threads and the seed: the miss rate moves, because warps run apart.
// launch: row_copy<<<1, threads>>>(
//     source: float[threads * width] = random(1), target: float[threads * width] = zero, width = 1024, threads = 128)

__global__ void row_copy(const float *source, float *target, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < width; j++)
        target[row * width + j] = source[row * width + j];
}
