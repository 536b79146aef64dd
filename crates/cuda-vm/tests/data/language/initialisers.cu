// launch: k<<<1, 32, 4096>>>(out: int[3] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 24 24 10
// accesses: store out+0 4x1; store out+4 4x1; store out+8 4x1
struct D { int a = 3; float b = 2.0f; int c[2] = {5, 6}; };
struct E { int x, y, z; };
struct F { E e; int w; };
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  D d;
  E e{1, 2};
  E g = {.x = 4, .z = 6};
  F h = {{1, 2, 3}, 4};
  F k2{.e = {7, 8, 9}, .w = 10};
  int a[]{1, 2, 3};
  int b[2][2] = {{1, 2}, {3, 4}};
  int z{};
  float fl{1.5f};
  auto m = E{1, 1, 1};
  int dd[3] = {};
  if (t == 0) { out[0] = d.a + (int)d.b + d.c[1] + e.x + e.y + e.z + g.x + g.y + g.z;
  out[1] = h.e.z + h.w + k2.e.x + k2.w;
  out[2] = a[2] + b[1][0] + z + (int)(fl * 2) + m.z + dd[1]; }
}
