// Five-point stencil: the rows above and below are read again by other warps. Is the reuse distance short enough?
// launch: stencil<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(
//     source: float[width * height] = random(1), target: float[width * height] = zero, width = 256, height = 128)

__global__ void stencil(const float *source, float *target, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
        int i = y * width + x;
        target[i] = 0.6f * source[i]
                  + 0.1f * (source[i - 1] + source[i + 1] + source[i - width] + source[i + width]);
    }
}
