// launch: k<<<1, 32, 4096>>>(out: int[3] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 11 7 1
// accesses: load in+0 4x32; load in+4 4x32; load in+8 4x32; load in+12 4x32; store out+0 4x1; store out+4 4x1; store out+8 4x1
struct S { int a[4]; };
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int a[4];
  memcpy(a, in + 4 * (t & 3), sizeof(a));
  S s;
  memset(&s, 0, sizeof(S));
  s.a[1] = 7;
  int u;
  float v = 1.0f;
  memcpy(&u, &v, 4);
  if (t == 1) { out[0] = a[0] + a[3];
  out[1] = s.a[0] + s.a[1];
  out[2] = u == 0x3f800000; }
}
