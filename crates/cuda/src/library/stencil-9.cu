// Nine-point stencil, each thread walking down a column: three of the nine loads are new in every step, six were made
// in the two steps before.
// launch: stencil_9<<<(width + 127) / 128, 128>>>(
//     source: float[width * height] = random(1), target: float[width * height] = zero, width = 512, height = 32)

__global__ void stencil_9(const float *source, float *target, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < 1 || x >= width - 1)
        return;

    for (int y = 1; y < height - 1; y++) {
        const float *above = source + (y - 1) * width + x;
        const float *here = above + width;
        const float *below = here + width;
        target[y * width + x] = 0.4f * here[0]
                              + 0.1f * (here[-1] + here[1] + above[0] + below[0])
                              + 0.05f * (above[-1] + above[1] + below[-1] + below[1]);
    }
}
