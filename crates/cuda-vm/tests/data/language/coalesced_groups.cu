// launch: k<<<1, 32>>>(out: int[32])
// out: 165 100176 155 101165 176 102155 165 103176 155 104165 176 105155 165 106176 155 107165 176 108155 165 109176 155 110165 176 111155 165 112176 155 113165 176 114155 165 115176
// accesses: store out+0 4x32
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(int *out) {
  int t = threadIdx.x;
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  auto label = cg::labeled_partition(tile, t % 3);
  int sum = cg::reduce(label, t, cg::plus<int>());
  if (t % 2) { cg::coalesced_group g = cg::coalesced_threads(); sum += 1000 * g.thread_rank() + 100000 * (g.shfl(t, 2) == 5); }
  out[t] = sum;
}
