template <class T, size_t N> struct array {
  T items[N];
  typedef T value_type;
  __device__ T &operator[](size_t i) { return items[i]; }
  __device__ T &at(size_t i) { return items[i]; }
  __device__ T &front() { return items[0]; }
  __device__ T &back() { return items[N - 1]; }
  __device__ T *data() { return items; }
  __device__ T *begin() { return items; }
  __device__ T *end() { return items + N; }
  __device__ size_t size() const { return N; }
  __device__ bool empty() const { return N == 0; }
  __device__ void fill(T v) { for (size_t i = 0; i < N; i++) items[i] = v; }
};
