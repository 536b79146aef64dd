// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 50
// accesses: store out+0 4x1
struct O { int a; double b; char c[3]; };
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int o = offsetof(O, c);
  O x;
  x.c[1] = 5;
  O *p = &x;
  char *q = (char *)p;
  if (t == 0) out[0] = o + sizeof(O) + p->c[1] + q[offsetof(O, c) + 1];
}
