// 15 x 15 convolution of an image of W x H outputs, read from global memory. Blocks of BX x BY threads, TX x TY outputs a thread.
// The test of bounds does not know the filter, so reads may pass the image by its border.
// EXACT is 0 where the tiles of the measured program do not divide its image: then it tests bounds of its reads.
// launch: conv_global<<<dim3((W + BX*TX - 1) / (BX*TX), (H + BY*TY - 1) / (BY*TY)), dim3(BX, BY)>>>(out: float[W*H], in: float[(W+14)*(H+29)] = random(1),
//     weights: float[225] = random(2), W = 4096, H = 64, EXACT = 1, BX = 32, BY = 4, TX = 2, TY = 2)
__constant__ float weights[225];
#define PITCH (W + 14)
__global__ void conv_global(float *out, float *in) {
    int x0 = blockIdx.x * BX * TX + threadIdx.x, y0 = blockIdx.y * BY * TY + threadIdx.y;
    float sum[TY][TX] = {};
    #pragma unroll
    for (int i = 0; i < 15; i++)
        #pragma unroll
        for (int j = 0; j < 15; j++)
            #pragma unroll
            for (int b = 0; b < TY; b++)
                #pragma unroll
                for (int a = 0; a < TX; a++) {
                    int y = y0 + b * BY, x = x0 + a * BX;
                    float v = 0.0f;
                    if (EXACT) v = in[(y + i) * PITCH + x + j];
                    else if (y < H + 14 && x < PITCH) v = in[(y + i) * PITCH + x + j];
                    sum[b][a] += v * weights[i * 15 + j];
                }
    #pragma unroll
    for (int b = 0; b < TY; b++)
        #pragma unroll
        for (int a = 0; a < TX; a++) {
            int y = y0 + b * BY, x = x0 + a * BX;
            if (y < H && x < W) out[y * W + x] = sum[b][a];
        }
}
