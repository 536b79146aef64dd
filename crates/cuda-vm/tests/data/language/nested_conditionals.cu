// launch: k<<<1, 4>>>(out: int[4] = zero, one: int[1] = 1)
// out: 4 4 4 4
// accesses: load one+0 4x4; store out+0 4x4
// The type of a side that is not taken counts, also behind another condition that is known.
__global__ void k(int *out, const int *one)
{
  int x = one[0];
  out[threadIdx.x] = 8 * ((3u ? x : 1u ? x : 0.5f) / (x + 1));
}
