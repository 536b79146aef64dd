// Row convolution as in Table IV (convolutionSeparable): a block of rows goes through a shared tile with halos.
// launch: conv_rows<<<dim3(width / 128, height / 4), dim3(16, 4)>>>(
//     out: float[width * height] = zero, src: float[width * height] = random(1), weight: float[17] = random(2),
//     width = 256, height = 128)

__global__ void conv_rows(float *out, const float *src, const float *weight, int width, int height)
{
    __shared__ float tile[4][160];
    int x0 = blockIdx.x * 128 - 16 + threadIdx.x;
    int y = blockIdx.y * 4 + threadIdx.y;
    for (int i = 0; i < 10; i++) {
        int x = x0 + i * 16;
        tile[threadIdx.y][threadIdx.x + i * 16] = x >= 0 && x < width ? src[y * width + x] : 0.0f;
    }
    __syncthreads();
    for (int i = 1; i < 9; i++) {
        float sum = 0.0f;
        for (int k = -8; k <= 8; k++)
            sum += weight[8 - k] * tile[threadIdx.y][threadIdx.x + i * 16 + k];
        out[y * width + x0 + i * 16] = sum;
    }
}
