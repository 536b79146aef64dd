// Vector add: neighbouring threads read neighbouring elements, so every line that arrives is used whole, once.
// launch: vector_add<<<(n + 255) / 256, 256>>>(
//     a: float[n] = random(1), b: float[n] = random(2), c: float[n] = zero, n = 65536)

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
