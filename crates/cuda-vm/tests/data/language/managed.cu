// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 8
// accesses: load mg+0 4x1; load mg2+8 4x1; store out+0 4x1
__managed__ int mg;
__device__ __managed__ int mg2[4] = {1, 2, 3, 4};
extern "C" { __device__ int ec(int a) { return a + 1; } }
extern "C" __device__ int ec2(int a) { return a + 2; }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) out[0] = mg + mg2[2] + ec(1) + ec2(1);
}
