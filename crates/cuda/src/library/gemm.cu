// General matrix multiply that adds to C in memory: without restrict the compiler must store C in every round, since C
// might overlap A or B, but it need not load it again. Compare "as written" with "as compiled".
// launch: gemm<<<dim3(NJ / 32, NI / 8), dim3(32, 8)>>>(
//     A: float[NI * NK] = random(1), B: float[NK * NJ] = random(2), C: float[NI * NJ] = random(3), alpha = 1.5,
//     beta = 0.5, NI = 64, NJ = 64, NK = 64)

__global__ void gemm(float *A, float *B, float *C, float alpha, float beta, int NI, int NJ, int NK)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;

    if (i < NI && j < NJ) {
        C[i * NJ + j] *= beta;
        for (int k = 0; k < NK; k++)
            C[i * NJ + j] += alpha * A[i * NK + k] * B[k * NJ + j];
    }
}
