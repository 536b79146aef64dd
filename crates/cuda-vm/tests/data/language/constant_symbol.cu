// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 16
// accesses: load w+8 4x1; store out+0 4x1
__constant__ float w[4];
__device__ int total;
void host() { float h[4] = {1, 2, 3, 4}; cudaMemcpyToSymbol(w, h, sizeof(h)); cudaMemcpyToSymbol(total, h, 4, 0, cudaMemcpyHostToDevice); }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) out[0] = (int)w[2] * 0 + sizeof(w);
}
