// launch: k<<<1, 32, 4096>>>(out: int[3] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 17 2 7
// accesses: store out+0 4x1; store out+4 4x1; store out+8 4x1
struct Base { int a; __device__ Base(int x) : a(x) {} __device__ int get() const { return a; } __device__ int both() { return get() + 1; } };
struct Mid : public Base { int b; __device__ Mid(int x, int y) : Base(x), b(y) {} __device__ int get() const { return Base::get() * 10 + b; } };
class Leaf : public Mid { public: __device__ Leaf() : Mid(1, 2) { c = 3; } int c; using Mid::get; };
__device__ int read(const Base &b) { return b.get(); }
template <typename D> struct Crtp { __device__ int run() { return static_cast<D *>(this)->impl(); } };
struct Impl : Crtp<Impl> { int v = 7; __device__ int impl() { return v; } };
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  Leaf l;
  Impl i;
  Base *p = &l;
  if (t == 0) { out[0] = l.get() + l.c + l.both();
  out[1] = read(l) + p->a;
  out[2] = i.run(); }
}
