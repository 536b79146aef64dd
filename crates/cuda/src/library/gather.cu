// Gather through a random index: indices are read in order, data at random. No schedule helps; only a larger cache or
// sorted indices do.
// launch: gather<<<(n + 255) / 256, 256>>>(
//     index: int[n] = random(1, 0, size), data: float[size] = random(2), out: float[n] = zero, n = 8192,
//     size = 65536)

__global__ void gather(const int *index, const float *data, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = data[index[i]];
}
