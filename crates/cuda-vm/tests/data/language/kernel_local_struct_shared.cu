// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 31
// accesses: store shared 4x32; load shared 4x1; store out+0 4x1
template <typename T> struct SharedMemory { __device__ inline operator T *() { extern __shared__ int __smem[]; return (T *)__smem; } __device__ inline operator const T *() const { extern __shared__ int __smem[]; return (T *)__smem; } };
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int *sd = SharedMemory<int>();
  sd[t] = t;
  __syncthreads();
  if (t == 0) out[0] = sd[31];
}
