// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 8
// accesses: store out+0 4x1
__device__ int later(int x);
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  extern __device__ int later(int);
  int other(int a);
  if (t == 0) out[0] = later(4);}
__device__ int later(int x) { return 2 * x; }
__global__ void unused() {
}
