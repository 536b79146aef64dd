// Each block of 32 x 8 threads transposes a tile of 32 x 32 of one matrix of a batch.
// launch: transpose<<<dim3(2, 2, 3), dim3(32, 8)>>>(in: float[3 * 64 * 64], out: float[3 * 64 * 64])
__global__ void transpose(const float *in, float *out)
{
    __shared__ float tile[32][33];
    const float *from = in + blockIdx.z * 64 * 64;
    float *to = out + blockIdx.z * 64 * 64;
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = from[(y + j) * 64 + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        to[(y + j) * 64 + x] = tile[threadIdx.x][threadIdx.y + j];
}
