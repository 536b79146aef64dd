// 15 x 15 convolution of an image of W x H outputs through a tile in shared memory. Blocks of BX x BY threads, TX x TY outputs a thread.
// EXACT is 0 where the tiles of the measured program do not divide its image: then it tests bounds of its reads.
// launch: conv_shared<<<dim3((W + BX*TX - 1) / (BX*TX), (H + BY*TY - 1) / (BY*TY)), dim3(BX, BY)>>>(out: float[W*H], in: float[(W+14)*(H+14)] = random(1),
//     weights: float[225] = random(2), W = 4096, H = 64, EXACT = 1, BX = 32, BY = 4, TX = 2, TY = 2)
__constant__ float weights[225];
#define PITCH (W + 14)
__global__ void conv_shared(float *out, float *in) {
    __shared__ float tile[BY * TY + 14][BX * TX + 14];
    int x0 = blockIdx.x * BX * TX, y0 = blockIdx.y * BY * TY;
    for (int r = threadIdx.y; r < BY * TY + 14; r += BY)
        for (int c = threadIdx.x; c < BX * TX + 14; c += BX)
            if (EXACT) tile[r][c] = in[(y0 + r) * PITCH + x0 + c];
            else tile[r][c] = y0 + r < H + 14 && x0 + c < PITCH ? in[(y0 + r) * PITCH + x0 + c] : 0.0f;
    __syncthreads();
    float sum[TY][TX] = {};
    #pragma unroll
    for (int i = 0; i < 15; i++)
        #pragma unroll
        for (int j = 0; j < 15; j++)
            #pragma unroll
            for (int b = 0; b < TY; b++)
                #pragma unroll
                for (int a = 0; a < TX; a++)
                    sum[b][a] += tile[threadIdx.y + b * BY + i][threadIdx.x + a * BX + j] * weights[i * 15 + j];
    #pragma unroll
    for (int b = 0; b < TY; b++)
        #pragma unroll
        for (int a = 0; a < TX; a++) {
            int y = y0 + threadIdx.y + b * BY, x = x0 + threadIdx.x + a * BX;
            if (y < H && x < W) out[y * W + x] = sum[b][a];
        }
}
