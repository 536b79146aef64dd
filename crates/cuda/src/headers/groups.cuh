struct grid_group {
  __device__ unsigned long long thread_rank() const { return block_rank() * (blockDim.x * blockDim.y * blockDim.z) + (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
  __device__ unsigned long long block_rank() const { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
  __device__ unsigned long long num_blocks() const { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  __device__ unsigned long long size() const { return num_blocks() * (blockDim.x * blockDim.y * blockDim.z); }
  __device__ unsigned long long num_threads() const { return size(); }
  __device__ dim3 group_dim() const { return gridDim; }
  __device__ bool is_valid() const { return true; }
  __device__ void sync() const { __grid_barrier(); }
};
__device__ grid_group this_grid() { grid_group g; return g; }
