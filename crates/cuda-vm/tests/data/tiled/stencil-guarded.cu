// Four neighbours of each element, each read only inside the image.
// launch: neighbours<<<dim3(2, 2), dim3(32, 8)>>>(in: float[64 * 16] = random(1), out: float[64 * 16], width = 64, height = 16)
__global__ void neighbours(const float *__restrict__ in, float *__restrict__ out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int at = y * width + x;
    float sum = in[at];
    if (x > 0)
        sum += in[at - 1];
    if (x < width - 1)
        sum += in[at + 1];
    if (y > 0)
        sum += in[at - width];
    if (y < height - 1)
        sum += in[at + width];
    out[at] = sum;
}
