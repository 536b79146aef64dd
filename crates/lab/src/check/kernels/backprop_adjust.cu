// The weight update of Rodinia's backprop: 16 hidden units, blocks of 16 x 16.
// launch: adjust_weights<<<dim3(1, IN / 16), dim3(16, 16)>>>(delta: float[17] = random(4), ly: float[IN + 1] = random(5), w: float[(IN + 1) * 17] = random(6), oldw: float[(IN + 1) * 17] = random(7), hid = 16, IN = 65536)
__global__ void adjust_weights(float *delta, int hid, float *ly, float *w, float *oldw) {
    int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int index = (hid + 1) * 16 * by + (hid + 1) * ty + tx + 1 + (hid + 1);
    int index_y = 16 * by + ty + 1, index_x = tx + 1;
    w[index] += 0.3f * delta[index_x] * ly[index_y] + 0.3f * oldw[index];
    oldw[index] = 0.3f * delta[index_x] * ly[index_y] + 0.3f * oldw[index];
    __syncthreads();
    if (ty == 0 && by == 0) {
        w[index_x] += 0.3f * delta[index_x] + 0.3f * oldw[index_x];
        oldw[index_x] = 0.3f * delta[index_x] + 0.3f * oldw[index_x];
    }
}
