// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 7
// accesses: store out+0 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int x = 1; { int x = 2; x++; { int x = 10; x++; } } for (int x = 0; x < 2; x++) ; { using T = float; T y = 2.5f; x += (int)y; } struct L { int v; __device__ int get() { return v; } } l = {4}; if (t == 0) out[0] = x + l.get();
}
