// Transpose through shared memory: a tile comes in by rows and leaves by rows. The extra column keeps the tile's
// columns in different banks.
// launch: transpose_tiled<<<dim3(n / TILE, n / TILE), dim3(TILE, ROWS)>>>(
//     source: float[n * n] = random(1), target: float[n * n] = zero, n = 256)

#define TILE 32
#define ROWS 8

__global__ void transpose_tiled(const float *source, float *target, int n)
{
    __shared__ float tile[TILE][TILE + 1];

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        tile[threadIdx.y + j][threadIdx.x] = source[(y + j) * n + x];

    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        target[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
