// The forward pass of Rodinia's backprop: 16 hidden units, blocks of 16 x 16.
// launch: layer_forward<<<dim3(1, IN / 16), dim3(16, 16)>>>(input: float[IN + 1] = random(1), hidden_weights: float[(IN + 1) * 17] = random(3), partial: float[IN / 16 * 16], hid = 16, IN = 65536)
__global__ void layer_forward(float *input, float *hidden_weights, float *partial, int hid) {
    int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int index = (hid + 1) * 16 * by + (hid + 1) * ty + tx + 1 + (hid + 1);
    int index_in = 16 * by + ty + 1;
    __shared__ float node[16];
    __shared__ float m[16][16];
    if (tx == 0) node[ty] = input[index_in];
    __syncthreads();
    m[ty][tx] = hidden_weights[index];
    __syncthreads();
    m[ty][tx] = m[ty][tx] * node[ty];
    __syncthreads();
    for (int i = 1; i <= 4; i++) {
        int p = 1 << i;
        if (ty % p == 0) m[ty][tx] = m[ty][tx] + m[ty + p / 2][tx];
        __syncthreads();
    }
    hidden_weights[index] = m[ty][tx];
    __syncthreads();
    if (tx == 0) partial[by * hid + ty] = m[tx][ty];
}
