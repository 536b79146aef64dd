// launch: k<<<1, 4>>>(out: int[4])
// out: 706 23709 48712 75715
// accesses: store out+0 4x4
#include <thrust/tuple.h>
#include <thrust/complex.h>
#include <cuda/std/array>
__device__ thrust::tuple<int, float> both(int a) { return thrust::make_tuple(a + 1, 0.5f * a); }
__global__ void k(int *out) {
  int a; float b;
  thrust::tie(a, b) = both(threadIdx.x);
  auto t = both(2); thrust::get<0>(t) += 4;
  thrust::complex<float> z(a, 1); z = z * z + 2.0f / thrust::complex<float>(0, 1);
  cuda::std::array<int, 3> v = {1, 2, 3};
  out[threadIdx.x] = a + (int)(4 * b) + 100 * thrust::get<0>(t) + 1000 * (int)z.real() + 10000 * (int)z.imag() + v[1] + v.size();
}
