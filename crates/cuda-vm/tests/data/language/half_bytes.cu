// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 62
// accesses: store out+0 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  uchar4 u = make_uchar4(1, 2, 3, 4);
  short2 s2 = make_short2(5, 6);
  ulonglong2 l = make_ulonglong2(7, 8);
  longlong4 ll = make_longlong4(1, 2, 3, 4);
  double4 d4;
  d4.w = 2.0;
  uint1 o1 = make_uint1(3);
  if (t == 0) out[0] = u.w + s2.y + (int)l.y + (int)ll.z + (int)d4.w + o1.x + sizeof(uchar4) + sizeof(double4);
}
