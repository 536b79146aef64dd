// launch: k<<<1, 4>>>(out: int[4] = zero, limit: int[1] = 1)
// out: 4 0 4 0
// accesses: load limit+0 4x4; load out+0 4x2; store out+0 4x2; load limit+0 4x4; load out+0 4x2; store out+0 4x2; load limit+0 4x4; load out+0 4x2; store out+0 4x2; load limit+0 4x4; load out+0 4x2; store out+0 4x2; load limit+0 4x4
// Lanes that continue wait for the others before the next test, which reads memory.
__global__ void k(volatile int *out, volatile const int *limit)
{
  int i = 0;
  while (i < 4 * limit[0]) {
    i++;
    if (threadIdx.x & 1) continue;
    out[threadIdx.x] = out[threadIdx.x] + 1;
  }
}
