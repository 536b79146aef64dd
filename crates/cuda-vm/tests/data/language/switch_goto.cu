// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 112
// accesses: store out+0 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int r = 0; for (int i = 0; i < 4; i++) { switch (i) { case 0: case 1: r += 1; break; case 2: { r += 10; continue; } [[fallthrough]]; default: r += 100; } } if (t == 0) out[0] = r;
}
