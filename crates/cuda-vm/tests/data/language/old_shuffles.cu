// launch: k<<<1, 32, 4096>>>(out: int[4] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 7 496 31 1
// accesses: store out+0 4x1; store out+4 4x1; store out+8 4x1; store out+12 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  int v = __shfl_down(t, 1), w = __shfl_xor(t, 1), b = __ballot(t < 2), a = __any(t == 3), x = __all(1);
  int z = __reduce_add_sync(~0u, t), m = __reduce_max_sync(~0u, t);
  unsigned mm = __match_any_sync(~0u, t / 16);
  if (t == 0) { out[0] = v + w + b + a + x;
  out[1] = z;
  out[2] = m;
  out[3] = mm == 0xffff; }
}
