// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 30
// accesses: store out+0 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int s = 0; for (int i = 0, j = 10; i < j; i++, --j) s += j - i; if (t == 0) out[0] = s;
}
