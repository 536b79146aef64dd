// launch: k<<<1, 32>>>(out: int[32] = zero, e = {20, 3, 2})
// out: 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 0 0 0 0 0 0 0 0 0 0 0 0
// accesses: store out+0 4x20
__global__ void k(int *out, cudaExtent e)
{
  if (threadIdx.x < e.width) out[threadIdx.x] = e.height * e.depth;
}
