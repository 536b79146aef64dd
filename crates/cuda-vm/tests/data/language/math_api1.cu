// launch: k<<<1, 32, 4096>>>(out: int[9] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 1 5 5 4 3 3 6 2 7
// accesses: store out+0 4x1; store out+4 4x1; store out+8 4x1; store out+12 4x1; store out+16 4x1; store out+20 4x1; store out+24 4x1; store out+28 4x1; store out+32 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) { float s, co;
  sincosf(0.0f, &s, &co);
  float ip;
  float fr = modff(2.75f, &ip);
  int ex;
  float m = frexpf(8.0f, &ex);
  int qq;
  remquof(7.0f, 2.0f, &qq);
  out[0] = (int)co;
  out[1] = (int)(fr * 4) + (int)ip;
  out[2] = ex + (int)(m * 2);
  out[3] = qq;
  out[4] = ilogbf(9.0f);
  out[5] = (int)logbf(9.0f);
  out[6] = (int)scalbnf(1.5f, 2);
  out[7] = (int)(rcbrtf(8.0f) * 4);
  out[8] = (int)rhypotf(3, 4) + (int)(norm3df(1, 2, 2)) + (int)norm4df(1, 1, 1, 1) + (int)(rnorm3df(0, 0, 0.5f)); }
}
