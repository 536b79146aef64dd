// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 1
// accesses: store out+0 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  long long c0 = clock64();
  clock_t c1 = clock();
  __nanosleep(10);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
  __syncwarp();
  __syncwarp(0xffffffff);
  __prof_trigger(0);
  if (t == 0) out[0] = (c0 + c1) * 0 + 1;
}
