// launch: k<<<1, 32, 4096>>>(out: int[1] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 22
// accesses: store out+0 4x1
template <typename T> __device__ decltype(auto) id2(T x) { return x; }
template <typename A, typename B> __device__ auto add2(A a, B b) -> decltype(a + b) { return a + b; }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  decltype(in[0] + 1.5f) z = 1.5f;
  decltype(t) y = 3;
  using E = decltype(z);
  E e = 2.5f;
  if (t == 0) out[0] = (int)(z * 2) + y + (int)(add2(1, 2.5f) * 2) + (int)(e * 2) + id2(4);
}
