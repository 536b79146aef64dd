template <class A, class B> struct pair {
  A first; B second;
  __device__ pair() {}
  __device__ pair(A a, B b) : first(a), second(b) {}
};
template <class A, class B> __device__ pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }
template <class T> __device__ T &move(T &a) { return a; }
template <class T> __device__ T &forward(T &a) { return a; }
template <class T> __device__ T clamp(T v, T a, T b) { return v < a ? a : b < v ? b : v; }
