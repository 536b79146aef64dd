// Seven-point stencil of a 3D heat equation: the neighbours in z lie a whole plane apart and miss unless the cache holds
// three planes.
// launch: stencil_7<<<dim3(nx / 32, ny / 4, nz), dim3(32, 4)>>>(
//     source: float[nx * ny * nz] = random(1), target: float[nx * ny * nz] = zero, c0 = 0.4, c1 = 0.1, nx = 64,
//     ny = 32, nz = 16)

__global__ void stencil_7(const float *source, float *target, float c0, float c1, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1)
        return;

    int i = (z * ny + y) * nx + x;
    target[i] = c0 * source[i]
              + c1 * (source[i - 1] + source[i + 1] + source[i - nx] + source[i + nx]
                      + source[i - nx * ny] + source[i + nx * ny]);
}
