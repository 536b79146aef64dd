// launch: k<<<4, 32>>>(out: int[4], part: int[4])
// out: 10 20 30 40
// accesses: store part+0 4x1; load part+0 4x1; load part+4 4x1; load part+8 4x1; load part+12 4x1; store out+0 4x1
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *out, volatile int *part) {
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) part[blockIdx.x] = blockIdx.x + 1;
  grid.sync();
  if (threadIdx.x == 0) { int sum = 0; for (int i = 0; i < gridDim.x; i++) sum += part[i]; out[blockIdx.x] = sum * (blockIdx.x + 1); }
}
