// 3D convolution with eleven taps, one thread per column of the volume: every plane is read again one and two steps
// later. Does it survive?
// launch: conv3d<<<dim3(nx / 32, ny / 4), dim3(32, 4)>>>(
//     A: float[nx * ny * nz] = random(1), B: float[nx * ny * nz] = zero, nx = 64, ny = 32, nz = 16)

#define AT(dx, dy, dz) A[((z + (dz)) * ny + y + (dy)) * nx + x + (dx)]

__global__ void conv3d(const float *A, float *B, int nx, int ny, int nz)
{
    const float c1 = 0.2f, c2 = 0.5f, c3 = -0.8f, c4 = -0.3f, c5 = 0.6f;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;

    for (int z = 1; z < nz - 1; z++)
        B[(z * ny + y) * nx + x] = c1 * (AT(-1, -1, -1) + AT(1, -1, -1)) + c2 * (AT(-1, 1, -1) + AT(1, 1, -1))
                                 + c3 * AT(0, 0, 0) + c4 * (AT(-1, -1, 1) + AT(1, -1, 1) + AT(0, 1, 1))
                                 + c5 * (AT(-1, 0, 0) + AT(1, 0, 0) + AT(0, 0, 1));
}
