#define D inline __device__
struct grid_group {
  D unsigned long long thread_rank() const { return block_rank() * (blockDim.x * blockDim.y * blockDim.z) + (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
  D unsigned long long block_rank() const { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
  D unsigned long long num_blocks() const { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  D unsigned long long size() const { return num_blocks() * (blockDim.x * blockDim.y * blockDim.z); }
  D unsigned long long num_threads() const { return size(); }
  D dim3 group_dim() const { return gridDim; }
  D dim3 dim_blocks() const { return gridDim; }
  D dim3 block_index() const { return blockIdx; }
  D bool is_valid() const { return true; }
  D void sync() const { __grid_barrier(); }
};
D grid_group this_grid() { grid_group g; return g; }
D grid_group this_multi_grid() { grid_group g; return g; }
struct coalesced_group {
  unsigned mask;
  D unsigned thread_rank() const { return __popc(mask & ((1u << __lane_id()) - 1u)); }
  D unsigned size() const { return __popc(mask); }
  D unsigned num_threads() const { return __popc(mask); }
  D unsigned meta_group_size() const { return 1; }
  D unsigned meta_group_rank() const { return 0; }
  D int lane(unsigned r) const { if (mask == ~0u) return r; unsigned m = mask; for (; r > 0 && (m & (m - 1)); r--) m &= m - 1; return __ffs(m) - 1; }
  template <class T> D T shfl(T v, int r) const { return __shfl_sync(mask, v, lane(r)); }
  template <class T> D T shfl_down(T v, unsigned d) const { unsigned r = thread_rank() + d; return __shfl_sync(mask, v, r < size() ? lane(r) : __lane_id()); }
  template <class T> D T shfl_up(T v, unsigned d) const { unsigned r = thread_rank(); return __shfl_sync(mask, v, r >= d ? lane(r - d) : __lane_id()); }
  template <class T> D T shfl_xor(T v, unsigned d) const { unsigned r = thread_rank() ^ d; return __shfl_sync(mask, v, r < size() ? lane(r) : __lane_id()); }
  D int any(int p) const { return (__ballot_sync(mask, p) & mask) != 0; }
  D int all(int p) const { return (__ballot_sync(mask, p) & mask) == mask; }
  D unsigned ballot(int p) const { return __ballot_sync(mask, p) & mask; }
  D void sync() const { __syncwarp(); }
};
D coalesced_group coalesced_threads() { coalesced_group g; g.mask = __activemask(); return g; }
template <class G, class T> D coalesced_group labeled_partition(const G &p, T label) { coalesced_group g; g.mask = __match_any_sync(~0u, (int)label); return g; }
template <class G> D coalesced_group binary_partition(const G &p, bool c) { coalesced_group g; unsigned b = __ballot_sync(~0u, c); g.mask = c ? b : ~b & __activemask(); return g; }
template <class G> D void sync(const G &g) { g.sync(); }
template <class G, class F> D void invoke_one(const G &g, F f) { if (g.thread_rank() == 0) f(); }
