// Adds two vectors of float.
// launch: vecAdd<<<(n + 1023) / 1024, 1024>>>(a: float[n] = random(1), b: float[n] = random(2), c: float[n], n = 1000)
__global__ void vecAdd(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
