// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 53
// accesses: store shared 4x32; store out+0 4x1
constexpr int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
constexpr __host__ __device__ int log2i(int n) { int r = 0; while (n > 1) { n /= 2; r++; } return r; }
constexpr int K = fact(4);
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  __shared__ int s[log2i(64)]; int a[fact(3)]; s[t % 6] = 1; for (int i = 0; i < fact(3); i++) a[i] = i; if (t == 0) out[0] = K + a[5] + (int)sizeof(s);
}
