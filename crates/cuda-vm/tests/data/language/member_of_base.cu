// launch: k<<<1, 32, 4096>>>(out: int[4] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 108 6 1 23
// accesses: store out+0 4x1; store out+4 4x1; store out+8 4x1; store out+12 4x1
struct Shape { int side; __device__ Shape(int s) : side(s) {} __device__ virtual int area() const { return 1; } __device__ int twice() const { return 2 * side; } };
struct Square : Shape { int side; __device__ Square(int s) : Shape(s), side(10 * s) {} __device__ int area() const override { return side * side / 9; } __device__ int twice() const { return 0; } };
template <typename T> struct Holder { T held; __device__ T get() const { return held; } };
struct Pair : Holder<int> { __device__ int get() const { return Holder<int>::get() + 1; } };
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  Square s(3);
  Square *p = &s;
  Pair q;
  q.Holder<int>::held = 11;
  if (t == 0) { out[0] = s.area() + s.Shape::twice() + p->Shape::area() + s.twice() + 1;
  out[1] = p->Shape::twice();
  out[2] = s.Shape::area();
  out[3] = q.get() + q.Holder<int>::get(); }
}
