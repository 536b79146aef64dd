// Copy with a stride: the farther apart the lanes read, the more lines one load asks for, up to 32. Vary the stride.
// launch: copy_strided<<<(n + 255) / 256, 256>>>(
//     source: float[n * stride] = random(1), target: float[n] = zero, n = 16384, stride = 8)

__global__ void copy_strided(const float *source, float *target, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        target[i] = source[i * stride];
}
