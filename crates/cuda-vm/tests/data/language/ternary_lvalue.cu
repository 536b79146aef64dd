// launch: k<<<1, 32, 4096>>>(out: int[2] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 7 5
// accesses: store out+0 4x1; store out+4 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int a = 1, b = 2;
  (t < 0 ? a : b) = 7;
  if (t == 0) { out[0] = b;
  *(t ? out : out + 1) = 5; }
}
