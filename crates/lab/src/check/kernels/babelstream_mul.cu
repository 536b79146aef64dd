// BabelStream's mul on doubles, n a multiple of 1,024.
// launch: mul_kernel<<<n / 1024, 1024>>>(b: double[n] = random(1), c: double[n] = random(2), n = 102400)
__global__ void mul_kernel(double *b, const double *c) {
    const double s = 0.4;
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    b[i] = s * c[i];
}
