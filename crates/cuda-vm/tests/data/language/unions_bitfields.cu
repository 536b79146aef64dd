// launch: k<<<1, 32, 4096>>>(out: int[4] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 63 16256 148 12
// accesses: store local 4x32; load local 1x1; store out+0 4x1; load local 2x1; store out+4 4x1; store out+8 4x1; store out+12 4x1
union U { float f; unsigned u; unsigned char b[4]; struct { short lo, hi; }; };
struct B { unsigned a, b; int c; };
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  U u;
  u.f = 1.0f;
  B x;
  x.a = 1;
  x.b = 5;
  x.c = -2;
  if (t == 0) { out[0] = u.b[3];
  out[1] = u.hi;
  out[2] = x.a * 100 + x.b * 10 + x.c;
  out[3] = sizeof(B); }
}
