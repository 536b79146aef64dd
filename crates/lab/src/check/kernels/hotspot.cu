// Rodinia hotspot 1024 x 1024, pyramid height 2, 16x16 blocks whose inner 12x12 points are written. The measured program
// has 2.0 without an f, so it computes in double.
// launch: calculate_temp<<<dim3((N + 11) / 12, (N + 11) / 12), dim3(16, 16)>>>(power: float[N * N] = random(1), src: float[N * N] = random(2), dst: float[N * N], iteration = 2, cols = N, rows = N, border_cols = 2, border_rows = 2, cap = 0.5, rx = 1.0, ry = 1.0, rz = 1.0, step = 0.1, N = 1024)
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
__global__ void calculate_temp(int iteration, float *power, float *src, float *dst, int cols, int rows, int border_cols, int border_rows, float cap, float rx, float ry, float rz, float step) {
    __shared__ float temp[16][16], pow[16][16], next[16][16];
    float amb = 80.0f;
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    float step_div_cap = step / cap, rx1 = 1 / rx, ry1 = 1 / ry, rz1 = 1 / rz;
    int small_rows = 16 - iteration * 2, small_cols = 16 - iteration * 2;
    int top = small_rows * by - border_rows, left = small_cols * bx - border_cols;
    int bottom = top + 15, right = left + 15;
    int y = top + ty, x = left + tx;
    int index = cols * y + x;
    if (IN_RANGE(y, 0, rows - 1) && IN_RANGE(x, 0, cols - 1)) {
        temp[ty][tx] = src[index];
        pow[ty][tx] = power[index];
    }
    __syncthreads();
    int y0 = top < 0 ? -top : 0, y1 = bottom > rows - 1 ? 15 - (bottom - rows + 1) : 15;
    int x0 = left < 0 ? -left : 0, x1 = right > cols - 1 ? 15 - (right - cols + 1) : 15;
    int n = ty - 1 < y0 ? y0 : ty - 1, s = ty + 1 > y1 ? y1 : ty + 1, w = tx - 1 < x0 ? x0 : tx - 1, e = tx + 1 > x1 ? x1 : tx + 1;
    bool computed;
    for (int i = 0; i < iteration; i++) {
        computed = false;
        if (IN_RANGE(tx, i + 1, 14 - i) && IN_RANGE(ty, i + 1, 14 - i) && IN_RANGE(tx, x0, x1) && IN_RANGE(ty, y0, y1)) {
            computed = true;
            next[ty][tx] = temp[ty][tx] + step_div_cap * (pow[ty][tx] + (temp[s][tx] + temp[n][tx] - 2.0 * temp[ty][tx]) * ry1 + (temp[ty][e] + temp[ty][w] - 2.0 * temp[ty][tx]) * rx1 + (amb - temp[ty][tx]) * rz1);
        }
        __syncthreads();
        if (i == iteration - 1) break;
        if (computed) temp[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (computed) dst[index] = next[ty][tx];
}
