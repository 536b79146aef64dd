// launch: k<<<1, 32, 4096>>>(out: int[4] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 15 511 23 16
// accesses: store out+0 4x1; store out+4 4x1; store out+8 4x1; store out+12 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) { out[0] = __dp4a(0x01020304, 0x01010101, 5);
  out[1] = __dp4a(0xffu, 0x02u, 1u);
  out[2] = __dp2a_lo(0x00020003, 0x0504, 1);
  char4 a = make_char4(1, -2, 3, 4), b = make_char4(1, 1, 1, 1);
  out[3] = __dp4a(a, b, 10); }
}
