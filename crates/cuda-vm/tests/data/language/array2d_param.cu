// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 38
// accesses: store out+0 4x1
__device__ int sum2(int a[2][3]) { int s = 0; for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) s += a[i][j]; return s; }
template <int R, int C> __device__ int size2(int (&a)[R][C]) { return R * C + a[1][1]; }
__device__ int sum3(int (*a)[3]) { return a[1][2]; }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int a[2][3] = {{1, 2, 3}, {4, 5, 6}};
  if (t == 0) out[0] = sum2(a) + size2(a) + sum3(a);
}
