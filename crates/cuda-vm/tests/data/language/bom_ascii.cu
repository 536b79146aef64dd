// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 1
// accesses: store out+0 4x32
// café
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  out[0] = 1;
}
