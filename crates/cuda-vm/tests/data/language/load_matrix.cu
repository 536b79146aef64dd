// launch: k<<<1, 32>>>(out: int[32])
// out: 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67
// accesses: 4 store shared 4x32; load shared 16x16; store out+0 4x32
__global__ void k(int *out) {
  __shared__ __align__(16) unsigned s[128];
  for (int i = threadIdx.x; i < 128; i += 32) s[i] = i;
  __syncwarp();
  unsigned r0, r1, lo, hi, address = __cvta_generic_to_shared(&s[4 * (threadIdx.x % 16)]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r0), "=r"(r1) : "r"(address));
  asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "l"(0x700000005ull));
  asm("vadd4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(lo) : "r"(lo), "r"(0x01010101), "r"(0));
  out[threadIdx.x] = (lo & 255) * 10 + hi;
}
