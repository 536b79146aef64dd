// launch: k<<<1, 32>>>(out: long long[2] = zero, of: long long[64] = iota)
// out: 44 0 5 0
// accesses: load of+8 8x1; store out+0 8x1; store out+8 8x1
struct Pair { short first; long long second; };
__device__ long long times(double v)
{
  Pair p = {(short)3, (long long)4};
  v = v * p.second;
  return (long long)v;
}
__device__ long long four(double v)
{
  Pair p = {(short)3, (long long)4};
  if (p.second % 7 > v) return 5;
  return 6;
}
struct Row { long long of[2]; };
__device__ long long row(double v)
{
  Row p = {{4, 3}};
  return p.of[1] > v ? 7 : 8;
}
__device__ long long row_without_sign(double v)
{
  Row p{{4, 3}};
  return p.of[1] > v ? 7 : 8;
}
__global__ void k(long long *out, const long long *of)
{
  if (threadIdx.x == 0) {
    out[0] = of[(unsigned)times(11) % 43u] + 43;
    const long long x = 7.5 - 10 ? 5 : four(2) + row(2) + row_without_sign(2);
    out[1] = x;
  }
}
