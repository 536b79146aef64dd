// Product of matrices of S x S floats, c = a^T b, both operands staged in shared memory. Each row of a and b belongs to a round of the sum.
// A block of MDIMC x NDIMC threads computes MWG x NWG outputs, and a thread MWI x NWI neighbours of them. The rounds come in parts of KWG,
// and in steps of KWI. MDIMA (NDIMB) threads copy a row of a part of a (b), and each of them takes neighbours. All loads have VWM (VWN)
// elements: lm (ln) is the length of a row in such loads. Only BX x BY blocks and K rounds run.
// launch: gemm<<<dim3(BX, BY), dim3(MDIMC, NDIMC)>>>(a: float[K*S] = random(1), b: float[K*S] = random(2), c: float[BY*NWG*S],
//     lm = S/VWM, ln = S/VWN, ks = K, S = 4096, K = 64, BX = 4, BY = 2, MWG = 32, NWG = 32, KWI = 2, MDIMC = 8, NDIMC = 8, VWM = 2, VWN = 4,
//     MDIMA = 8, NDIMB = 8)
#define KWG 32
#define MWI (MWG / MDIMC)
#define NWI (NWG / NDIMC)
#define ROWSA (KWG * MDIMA / (MDIMC * NDIMC))
#define ROWSB (KWG * NDIMB / (MDIMC * NDIMC))
#define TAKESA (MWG / MDIMA / VWM)
#define TAKESB (NWG / NDIMB / VWN)
#if VWM == 1
#define VECM float
#elif VWM == 2
#define VECM float2
#else
#define VECM float4
#endif
#if VWN == 1
#define VECN float
#elif VWN == 2
#define VECN float2
#else
#define VECN float4
#endif
__global__ void gemm(const VECM *a, const VECN *b, float *c, int lm, int ln, int ks) {
    __shared__ VECM as[KWG][MWG / VWM];
    __shared__ VECN bs[KWG][NWG / VWN];
    int thread = threadIdx.y * MDIMC + threadIdx.x;
    int ma = thread % MDIMA * TAKESA, ka = thread / MDIMA * ROWSA;
    int nb = thread % NDIMB * TAKESB, kb = thread / NDIMB * ROWSB;
    float sum[NWI][MWI] = {};
    for (int part = 0; part < ks; part += KWG) {
        #pragma unroll
        for (int i = 0; i < TAKESA; i++)
            #pragma unroll
            for (int r = 0; r < ROWSA; r++) as[ka + r][ma + i] = a[(part + ka + r) * lm + blockIdx.x * (MWG / VWM) + ma + i];
        #pragma unroll
        for (int r = 0; r < ROWSB; r++)
            #pragma unroll
            for (int j = 0; j < TAKESB; j++) bs[kb + r][nb + j] = b[(part + kb + r) * ln + blockIdx.y * (NWG / VWN) + nb + j];
        __syncthreads();
        for (int step = 0; step < KWG; step += KWI) {
            #pragma unroll
            for (int round = 0; round < KWI; round++) {
                int k = step + round;
                VECM am[MWI / VWM];
                VECN bn[NWI / VWN];
                #pragma unroll
                for (int i = 0; i < MWI / VWM; i++) am[i] = as[k][threadIdx.x * (MWI / VWM) + i];
                #pragma unroll
                for (int j = 0; j < NWI / VWN; j++) bn[j] = bs[k][threadIdx.y * (NWI / VWN) + j];
                #pragma unroll
                for (int j = 0; j < NWI; j++)
                    #pragma unroll
                    for (int i = 0; i < MWI; i++) sum[j][i] += ((float *)am)[i] * ((float *)bn)[j];
            }
        }
        __syncthreads();
    }
    int m0 = blockIdx.x * (MWG / VWM) + threadIdx.x * (MWI / VWM), n0 = blockIdx.y * (NWG / VWN) + threadIdx.y * (NWI / VWN);
    #pragma unroll
    for (int j = 0; j < NWI; j++)
        #pragma unroll
        for (int i = 0; i < MWI; i++) c[(n0 * VWN + j) * (lm * VWM) + m0 * VWM + i] = sum[j][i];
}
