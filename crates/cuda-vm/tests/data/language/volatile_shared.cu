// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 496
// accesses: store shared 4x32; 2 load shared 4x16; store shared 4x16; 2 load shared 4x16; store shared 4x16; 2 load shared 4x16; store shared 4x16; 2 load shared 4x16; store shared 4x16; 2 load shared 4x16; store shared 4x16; load shared 4x1; store out+0 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  volatile __shared__ int s[64];
  s[t] = t;
  if (t < 16) { s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1]; } if (t == 0) out[0] = s[0];
}
