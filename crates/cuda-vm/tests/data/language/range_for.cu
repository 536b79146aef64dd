// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 41
// accesses: store out+0 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int a[4] = {1, 2, 3, 4}; int s = 0; for (int x : a) s += x; for (auto &x : a) x *= 2; for (const auto x : a) s += x; for (int q : {5, 6}) s += q; if (t == 0) out[0] = s;
}
