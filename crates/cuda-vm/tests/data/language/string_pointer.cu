// launch: k<<<1, 32, 4096>>>(out: int[2] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 102 126
// accesses: load "abcd"+0 1x1; load "abcd"+1 1x1; load "abcd"+2 1x1; load "abcd"+3 1x1; load "abcd"+4 1x1; load "abcd"+1 1x1; store out+0 4x1; store out+4 4x1
__device__ int len(const char *s) { int n = 0; while (s[n]) n++; return n; }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  const char *p = "abcd";
  const char q[] = "xyz";
  if (t == 0) { out[0] = len(p) + p[1];
  out[1] = sizeof(q) + q[2]; }
}
