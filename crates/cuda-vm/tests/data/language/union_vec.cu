// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 49
// accesses: load f+32 16x32; store out+0 4x1
union V4 { float4 v; float a[4]; struct { float x, y, z, w; } s; };
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  V4 u; u.v = ((const float4 *)f)[2]; float s = 0; for (int i = 0; i < 4; i++) s += u.a[i]; if (t == 0) out[0] = (int)s + (int)u.s.w;
}
