// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 1
// accesses: load f+0 4x32; store out+0 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  float s, co;
  sincosf(f[t], &s, &co);
  __sincosf(0.0f, &s, &co);
  if (t == 0) out[0] = (int)(s + co);
}
