// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 127
// accesses: 3 store local 4x32; load tbl+20 4x1; load ws+4 4x1; load offs+8 4x1; load in+4 4x1; load local 4x1; load let+1 1x1; store out+0 4x1
__constant__ int tbl[2][3] = {{1, 2, 3}, {4, 5, 6}};
__device__ const float ws[3] = {0.5f, 1.5f, 2.5f};
static constexpr int offs[] = {0, 3, 5};
__device__ __constant__ char let[] = "hello";
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  const int loc[] = {7, 8, 9};
  static const int st[2] = {1, 2};
  constexpr float fc[2] = {1.f, 2.f};
  if (t == 0) out[0] = tbl[1][2] + (int)(ws[1] * 2) + offs[2] + loc[in[1]] + st[1] + (int)fc[1] + let[1];
}
