#define D inline __device__
template <int S = 0> struct barrier {
  unsigned long long state;
  typedef unsigned long long arrival_token;
  D barrier() {}
  D barrier(int n) {}
  D unsigned long long arrive(int n = 1) { return 0; }
  D void wait(unsigned long long t) { __syncthreads(); }
  D void arrive_and_wait() { __syncthreads(); }
  D void arrive_and_drop() {}
  D bool try_wait(unsigned long long t) { __syncthreads(); return true; }
  D bool test_wait(unsigned long long t) { return true; }
};
template <class T, int S = 0> struct atomic {
  T a;
  D atomic() {}
  D atomic(T v) : a(v) {}
  D T load(int o = 0) { return *(volatile T *)&a; }
  D void store(T v, int o = 0) { *(volatile T *)&a = v; }
  D T exchange(T v, int o = 0) { return atomicExch(&a, v); }
  D T fetch_add(T v, int o = 0) { return atomicAdd(&a, v); }
  D T fetch_sub(T v, int o = 0) { return atomicAdd(&a, -v); }
  D T fetch_min(T v, int o = 0) { return atomicMin(&a, v); }
  D T fetch_max(T v, int o = 0) { return atomicMax(&a, v); }
  D T fetch_and(T v, int o = 0) { return atomicAnd(&a, v); }
  D T fetch_or(T v, int o = 0) { return atomicOr(&a, v); }
  D T fetch_xor(T v, int o = 0) { return atomicXor(&a, v); }
  D T operator++(int) { return atomicAdd(&a, (T)1); }
  D T operator++() { return atomicAdd(&a, (T)1) + 1; }
  D T operator+=(T v) { return atomicAdd(&a, v) + v; }
  D T operator=(T v) { store(v); return v; }
  D operator T() { return load(); }
  D bool compare_exchange_strong(T &e, T v, int o = 0, int q = 0) { T old = atomicCAS(&a, e, v); bool same = old == e; e = old; return same; }
  D bool compare_exchange_weak(T &e, T v, int o = 0, int q = 0) { return compare_exchange_strong(e, v); }
};
template <class B> D void init(B *b, int n) {}
template <int A> struct aligned_size_t { size_t n; D aligned_size_t(size_t v) : n(v) {} D operator size_t() const { return n; } };
template <int S, int N = 1> struct pipeline_shared_state {};
template <int S = 3> struct pipeline {
  D void producer_acquire() {}
  D void producer_commit() {}
  D void consumer_wait() { if (S != thread_scope_thread) __syncthreads(); }
  template <class T> D void consumer_wait_for(T t) { consumer_wait(); }
  D void consumer_release() { if (S != thread_scope_thread) __syncthreads(); }
  D void quit() {}
};
enum class pipeline_role { producer, consumer };
D pipeline<3> make_pipeline() { pipeline<3> p; return p; }
template <class G, class S> D pipeline<2> make_pipeline(G g, S *s) { pipeline<2> p; return p; }
template <class G, class S, class R> D pipeline<2> make_pipeline(G g, S *s, R r) { pipeline<2> p; return p; }
template <int N, class P> D void pipeline_consumer_wait_prior(P &p) { p.consumer_wait(); }
template <class P> D void pipeline_producer_commit(P &p, int n) {}
template <class T> D void async_one(T *d, const T *s, size_t n) {
  if (n % 16 == 0) for (int i = 0; i < n / 16; i++) ((float4 *)d)[i] = ((const float4 *)s)[i];
  else if (n % 8 == 0) for (int i = 0; i < n / 8; i++) ((float2 *)d)[i] = ((const float2 *)s)[i];
  else for (int i = 0; i < n / 4; i++) ((float *)d)[i] = ((const float *)s)[i];
}
template <class T, class N, class P> D void memcpy_async(T *d, const T *s, N n, P &p) { async_one(d, s, (size_t)n); }
template <class G, class T> D void async_all(const G &g, T *d, const T *s, size_t n) {
  size_t bits = (size_t)d | (size_t)s | n;
  if ((bits & 15) == 0) for (size_t i = g.thread_rank(); i < n / 16; i += g.size()) ((float4 *)d)[i] = ((const float4 *)s)[i];
  else if ((bits & 3) == 0) for (size_t i = g.thread_rank(); i < n / 4; i += g.size()) ((float *)d)[i] = ((const float *)s)[i];
  else for (size_t i = g.thread_rank(); i < n; i += g.size()) ((char *)d)[i] = ((const char *)s)[i];
}
template <class G, class T, class N> D void memcpy_async(const G &g, T *d, const T *s, N n) { async_all(g, d, s, (size_t)n); }
template <class G, class T, class N, class P> D void memcpy_async(const G &g, T *d, const T *s, N n, P &p) { async_all(g, d, s, (size_t)n); }
template <class G, class T> D void memcpy_async(const G &g, T *d, size_t m, const T *s, size_t n) { async_all(g, d, s, (m < n ? m : n) * sizeof(T)); }
template <class G> D void wait(const G &g) { g.sync(); }
template <int N, class G> D void wait_prior(const G &g) { g.sync(); }
