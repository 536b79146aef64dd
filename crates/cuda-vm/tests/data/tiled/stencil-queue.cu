// A stencil of 7 points. The points along z pass through registers, the others lie in shared memory.
// launch: stencil<<<dim3(1, 1), dim3(16, 16)>>>(in: float[n * 18 * 18], out: float[n * 18 * 18], n = 10)
__global__ void stencil(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float plane[18][18];
    const int x = threadIdx.x + 1, y = threadIdx.y + 1, at = y * 18 + x;
    float behind = in[at], current = in[18 * 18 + at], front;
    for (int z = 1; z < n - 1; ++z) {
        front = in[(z + 1) * 18 * 18 + at];
        plane[y][x] = current;
        if (threadIdx.x < 2)
            plane[y][threadIdx.x * 17] = in[z * 18 * 18 + y * 18 + threadIdx.x * 17];
        if (threadIdx.y < 2)
            plane[threadIdx.y * 17][x] = in[z * 18 * 18 + threadIdx.y * 17 * 18 + x];
        __syncthreads();
        out[z * 18 * 18 + at] =
            plane[y][x - 1] + plane[y][x + 1] + plane[y - 1][x] + plane[y + 1][x] + behind + front - 6.0f * current;
        __syncthreads();
        behind = current;
        current = front;
    }
}
