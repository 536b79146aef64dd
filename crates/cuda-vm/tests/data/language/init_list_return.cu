// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 68
// accesses: store out+0 4x1
struct R2 { int a, b; };
__device__ R2 mk(int x) { return {x, x + 1}; }
__device__ float2 mk2() { return {1.0f, 2.0f}; }
__device__ int take(R2 r) { return r.a * 10 + r.b; }
__device__ int4 zero4() { return int4(); }
__device__ float3 cast3(float4 v) { return float3{v.x, v.y, v.z}; }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  R2 r;
  r = {5, 6};
  float4 q = {1, 2, 3, 4};
  if (t == 0) out[0] = take({1, 2}) + take(mk(3)) + (int)mk2().y + r.b + zero4().x + (int)cast3(q).z + take(R2{1, 1});
}
