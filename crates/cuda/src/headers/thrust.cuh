template <class T> struct device_ptr {
  T *p;
  __device__ device_ptr() {}
  __device__ device_ptr(T *q) : p(q) {}
  __device__ T *get() const { return p; }
  __device__ T &operator*() const { return *p; }
  __device__ T &operator[](long long i) const { return p[i]; }
  __device__ device_ptr operator+(long long i) const { return device_ptr(p + i); }
};
template <class T> __device__ T *raw_pointer_cast(T *p) { return p; }
template <class T> __device__ T *raw_pointer_cast(device_ptr<T> p) { return p.p; }
template <class T> __device__ device_ptr<T> device_pointer_cast(T *p) { return device_ptr<T>(p); }
