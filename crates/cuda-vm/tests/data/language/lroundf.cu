// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 11
// accesses: store out+0 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) out[0] = (int)lroundf(2.5f) + (int)lround(3.5) + (int)llroundf(-1.5f) + (int)lrintf(2.5f) + (int)llrint(3.5) + (int)lrint(0.4);
}
