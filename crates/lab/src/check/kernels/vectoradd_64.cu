// Adds two vectors of double.
// launch: vecAdd<<<(n + 1023) / 1024, 1024>>>(a: double[n] = random(1), b: double[n] = random(2), c: double[n], n = 1000)
__global__ void vecAdd(const double *a, const double *b, double *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
