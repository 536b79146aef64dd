// launch: k<<<1, 32, 4096>>>(out: int[10] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 32 64 31 -32 0 -1 9 31 64 31
// accesses: atomic big+0 8x32; atomic dd+0 8x32; atomic ff+0 4x32; atomic out+0 4x32; atomic out+4 4x32; atomic out+8 4x32; atomic sl+0 8x32; atomic out+12 4x32; atomic out+16 4x32; atomic out+20 4x32; atomic out+24 4x32; atomic big+0 8x32; atomic out+28 4x32; load big+0 8x1; load dd+0 8x1; load ff+0 4x1; store out+32 4x1; load sl+0 8x1; store out+36 4x1
__device__ unsigned long long big; __device__ double dd; __device__ float ff; __device__ long long sl;
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  atomicAdd(&big, 1ull);
  atomicAdd(&dd, 0.5);
  atomicAdd(&ff, 0.5f);
  atomicAdd_block(&out[0], 1);
  atomicAdd_system(&out[1], 2);
  atomicMax((unsigned *)&out[2], (unsigned)t);
  atomicMax(&sl, (long long)t);
  atomicSub(&out[3], 1);
  atomicAnd((unsigned *)out + 4, 0u);
  atomicXor(&out[5], 1 << t);
  atomicDec((unsigned *)&out[6], 40u);
  atomicMin(&big, 100ull);
  atomicMax_block(out + 7, t);
  __syncthreads();
  if (t == 0) { out[8] = (int)big + (int)dd + (int)ff;
  out[9] = (int)sl; }
}
