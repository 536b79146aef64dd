// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 3219
// accesses: store out+0 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  dim3 b = blockDim;
  dim3 g(gridDim);
  uint3 id = threadIdx;
  dim3 z(2, 3);
  auto w = blockIdx;
  if (t == 5) out[0] = b.x * 100 + g.x * 10 + id.x + z.y + z.z + w.x;
}
