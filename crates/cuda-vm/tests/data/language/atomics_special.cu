// launch: k<<<1, 32, 4096>>>(out: int[9] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 7 0 6 0 1065353216 0 1065353216 1073741824 3
// accesses: load out+0 4x1; atomic out+0 4x1; 3 atomic out+8 8x1; atomic out+16 4x32; atomic out+24 4x1; atomic out+28 4x1; atomic out+32 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  unsigned short *h = (unsigned short *)out;
  unsigned short old = 0;
  if (t == 0) old = atomicCAS(h, (unsigned short)0, (unsigned short)7);
  unsigned long long *q = (unsigned long long *)(out + 2);
  if (t == 1) { atomicCAS(q, 0ull, 5ull);
  atomicExch(q, atomicExch(q, 6ull) + 1); } float *g = (float *)(out + 4);
  atomicExch(g, 1.0f);
  if (t == 2) { atomicAdd((float2 *)(out + 6), make_float2(1.0f, 2.0f));
  atomicCAS_block(out + 8, 0, 3); }
}
