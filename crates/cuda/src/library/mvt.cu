// x1 += A y1 and x2 += Aᵀ y2 in one kernel: the two loops read the same matrix in opposite directions, so the second may
// find what the first left behind.
// launch: mvt<<<(n + 63) / 64, 64>>>(
//     A: float[n * n] = random(1), y1: float[n] = random(2), y2: float[n] = random(3), x1: float[n] = random(4),
//     x2: float[n] = random(5), n = 128)

__global__ void mvt(const float *__restrict__ A, const float *__restrict__ y1, const float *__restrict__ y2,
                    float *__restrict__ x1, float *__restrict__ x2, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int j = 0; j < n; j++)
            x1[i] += A[i * n + j] * y1[j];
        for (int j = 0; j < n; j++)
            x2[i] += A[j * n + i] * y2[j];
    }
}
