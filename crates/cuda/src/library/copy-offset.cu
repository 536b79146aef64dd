// Copy with an offset: a shift by less than a line makes each warp touch two lines, and its neighbour one of them again.
// launch: copy_offset<<<(n + 255) / 256, 256>>>(
//     source: float[n + offset] = random(1), target: float[n] = zero, n = 65536, offset = 5)

__global__ void copy_offset(const float *source, float *target, int n, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        target[i] = source[i + offset];
}
