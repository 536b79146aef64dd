// BabelStream's triad on doubles, n a multiple of 1,024.
// launch: triad_kernel<<<n / 1024, 1024>>>(a: double[n] = random(1), b: double[n] = random(2), c: double[n] = random(3), n = 102400)
__global__ void triad_kernel(double *a, const double *b, const double *c) {
    const double s = 0.4;
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    a[i] = b[i] + s * c[i];
}
