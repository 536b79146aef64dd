// BabelStream's copy on doubles, n a multiple of 1,024.
// launch: copy_kernel<<<n / 1024, 1024>>>(a: double[n] = random(1), c: double[n] = random(2), n = 102400)
__global__ void copy_kernel(const double *a, double *c) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    c[i] = a[i];
}
