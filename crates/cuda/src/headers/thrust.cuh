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
template <class T = int> struct divides { __device__ T operator()(T a, T b) const { return a / b; } };
template <class T = int> struct modulus { __device__ T operator()(T a, T b) const { return a % b; } };
template <class T = int> struct negate { __device__ T operator()(T a) const { return -a; } };
template <class T = int> struct square { __device__ T operator()(T a) const { return a * a; } };
template <class T = int> struct identity { __device__ T operator()(T a) const { return a; } };
template <class T = int> struct less { __device__ bool operator()(T a, T b) const { return a < b; } };
template <class T = int> struct greater { __device__ bool operator()(T a, T b) const { return a > b; } };
template <class T = int> struct less_equal { __device__ bool operator()(T a, T b) const { return a <= b; } };
template <class T = int> struct greater_equal { __device__ bool operator()(T a, T b) const { return a >= b; } };
template <class T = int> struct equal_to { __device__ bool operator()(T a, T b) const { return a == b; } };
template <class T = int> struct not_equal_to { __device__ bool operator()(T a, T b) const { return a != b; } };
struct minstd_rand {
  unsigned x;
  typedef unsigned result_type;
  __device__ minstd_rand() : x(1) {}
  __device__ minstd_rand(unsigned s) : x(s % 2147483647u) { if (x == 0) x = 1; }
  __device__ unsigned operator()() { x = (unsigned)((unsigned long long)x * 48271ull % 2147483647ull); return x; }
  __device__ void discard(unsigned long long n) { for (unsigned long long i = 0; i < n; i++) x = (unsigned)((unsigned long long)x * 48271ull % 2147483647ull); }
};
typedef minstd_rand default_random_engine;
template <class T = float> struct uniform_real_distribution { T a, b; __device__ uniform_real_distribution(T l = 0, T h = 1) : a(l), b(h) {} template <class E> __device__ T operator()(E &e) { return a + (b - a) * (T)(e() - 1u) / (T)2147483646; } };
template <class T = int> struct uniform_int_distribution { T a, b; __device__ uniform_int_distribution(T l = 0, T h = 100) : a(l), b(h) {} template <class E> __device__ T operator()(E &e) { return a + (T)(e() % (unsigned)(b - a + 1)); } };
