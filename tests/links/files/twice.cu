// launch: twice<<<4, 64>>>(x: float[n] = iota, n = 256)
__global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}
