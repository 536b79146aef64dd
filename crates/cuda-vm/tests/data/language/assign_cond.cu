// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 542
// accesses: store out+0 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int x, y;
  x = y = 5;
  int z = (x > 3) ? (y++, y * 2) : 0;
  do if (z > 10) break;
  while (0);
  x ^= y;
  x |= 1;
  x <<= 2;
  x %= 7;
  y >>= 1;
  if (t == 0) out[0] = x * 100 + y * 10 + z;
}
