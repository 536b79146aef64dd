// 3 × 3 convolution: nine loads per point, of which the left and right ones reuse lines at once and the upper and lower
// ones only if the row above is still in the cache.
// launch: conv2d<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(
//     image: float[width * height] = random(1), result: float[width * height] = zero, width = 256, height = 128)

__constant__ float weights[3][3] = {{0.2f, 0.5f, -0.8f}, {-0.3f, 0.6f, -0.9f}, {0.4f, 0.7f, 0.1f}};

__global__ void conv2d(const float *__restrict__ image, float *__restrict__ result, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;

    float sum = 0.0f;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += weights[dy + 1][dx + 1] * image[(y + dy) * width + x + dx];
    result[y * width + x] = sum;
}
