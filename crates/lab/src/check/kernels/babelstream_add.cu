// BabelStream's add on doubles, n a multiple of 1,024.
// launch: add_kernel<<<n / 1024, 1024>>>(a: double[n] = random(1), b: double[n] = random(2), c: double[n] = random(3), n = 102400)
__global__ void add_kernel(const double *a, const double *b, double *c) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    c[i] = a[i] + b[i];
}
