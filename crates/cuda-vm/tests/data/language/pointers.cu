// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 14
// accesses: 3 store local 4x32; 2 load local 4x1; load in+8 4x1; 2 load local 4x1; store out+0 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int a[3] = {1, 2, 3};
  int (*p)[3] = &a;
  int *q[2] = {a, a + 1};
  const int *const r = in;
  const int (&ref)[3] = a;
  ptrdiff_t d = &a[2] - a;
  void *v = a;
  int *w = static_cast<int *>(v);
  uintptr_t u = (uintptr_t)(in + 4);
  if (t == 0) out[0] = (*p)[1] + q[1][1] + r[2] + ref[0] + (int)d + w[2] + (u % 16 == 0);
}
