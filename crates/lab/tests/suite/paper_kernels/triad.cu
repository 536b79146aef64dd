// STREAM's triad, as in Table IV (SHOC).
// launch: triad<<<n / 128, 128>>>(A: float[n] = random(1), B: float[n] = random(2), C: float[n] = zero, s = 1.75, n = 131072)

__global__ void triad(const float *A, const float *B, float *C, float s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        C[i] = A[i] + s * B[i];
}
