// launch: k<<<1, 32, 4096>>>(out: int[2] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 40 31
// accesses: atomic out+0 4x32; atomic out+4 4x32; load out+4 4x1; store out+0 4x1
#include <cuda/atomic>
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  cuda::atomic_ref<int, cuda::thread_scope_device> r(out[0]);
  r.fetch_add(1, cuda::memory_order_relaxed);
  cuda::atomic_ref<int> q{out[1]};
  q.fetch_max(t);
  if (t == 0) { q.load();
  r.store(40); } 
}
