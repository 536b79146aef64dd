// launch: k<<<1, 2>>>(out: int[2], n = 3)
// out: 28 28
// accesses: store out+0 4x2
template <int N> struct Row {
  int x[N];
  __device__ Row(int a) { for (int i = 0; i < N; i++) x[i] = a + i; }
  __device__ int sum() const { int s = 0; for (int i = 0; i < N; i++) s += x[i]; return s; }
  __device__ Row twice() const { Row r(0); for (int i = 0; i < N; i++) r.x[i] = 2 * x[i]; return r; }
};
__device__ Row<3> made(int a) { return Row<3>(a); }
__device__ int last(const Row<3> &r) { return r.x[2]; }
__global__ void k(int *out, int n) { Row<2> b(1); out[threadIdx.x] = made(2).twice().sum() + last(Row<3>(n)) + b.sum() + last(made(0)); }
