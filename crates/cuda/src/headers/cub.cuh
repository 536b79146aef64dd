#define D __device__
#define LINEAR(X, Y, Z) int t = Y * Z == 1 ? threadIdx.x : (threadIdx.z * Y + threadIdx.y) * X + threadIdx.x
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED };
struct Sum { template <class T> D T operator()(T a, T b) const { return a + b; } };
struct Max { template <class T> D T operator()(T a, T b) const { return a < b ? b : a; } };
struct Min { template <class T> D T operator()(T a, T b) const { return b < a ? b : a; } };
struct cub_Plus { template <class T> D T operator()(T a, T b) const { return a + b; } };
template <class T> struct __align__(16) cub_Four { T x, y, z, w; };
template <int W, class T, class F> D T cub_warp_reduce(T v, F op, int lane, int valid) {
  for (int d = 1; d < W; d *= 2) { T o = __shfl_down_sync(~0u, v, d, W); if (lane + d < valid) v = op(v, o); }
  return v;
}
template <int W, class T, class F> D T cub_warp_scan(T v, F op, int lane) {
  for (int d = 1; d < W; d *= 2) { T o = __shfl_up_sync(~0u, v, d, W); if (lane >= d) v = op(o, v); }
  return v;
}
struct cub_NoStorage {};
template <class T, int W = 32> struct WarpReduce {
  typedef cub_NoStorage TempStorage;
  D WarpReduce(TempStorage &s) {}
  template <class F> D T Reduce(T v, F op) { return cub_warp_reduce<W>(v, op, (int)(threadIdx.x % W), W); }
  template <class F> D T Reduce(T v, F op, int n) { return cub_warp_reduce<W>(v, op, (int)(threadIdx.x % W), n); }
  D T Sum(T v) { return Reduce(v, cub_Plus()); }
  D T Sum(T v, int n) { return Reduce(v, cub_Plus(), n); }
};
template <class T, int W = 32> struct WarpScan {
  typedef cub_NoStorage TempStorage;
  D WarpScan(TempStorage &s) {}
  template <class F> D void InclusiveScan(T v, T &out, F op) { out = cub_warp_scan<W>(v, op, (int)(threadIdx.x % W)); }
  template <class F> D void ExclusiveScan(T v, T &out, T init, F op) {
    int lane = threadIdx.x % W;
    T o = __shfl_up_sync(~0u, cub_warp_scan<W>(v, op, lane), 1, W);
    out = lane ? op(init, o) : init;
  }
  D void InclusiveSum(T v, T &out) { InclusiveScan(v, out, cub_Plus()); }
  D void InclusiveSum(T v, T &out, T &all) { InclusiveScan(v, out, cub_Plus()); all = __shfl_sync(~0u, out, W - 1, W); }
  D void ExclusiveSum(T v, T &out) { T o; InclusiveScan(v, o, cub_Plus()); out = o - v; }
  D void ExclusiveSum(T v, T &out, T &all) { T o; InclusiveScan(v, o, cub_Plus()); out = o - v; all = __shfl_sync(~0u, o, W - 1, W); }
};
template <class T, int N> struct cub_Storage { T v[N]; T total; };
template <class T, int X, int A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1> struct BlockReduce {
  typedef cub_Storage<T, (X * Y * Z + 31) / 32> TempStorage;
  TempStorage *s;
  D BlockReduce(TempStorage &a) : s(&a) {}
  template <class F> D T Reduce(T v, F op, int n) {
    LINEAR(X, Y, Z);
    int lane = t % 32;
    v = cub_warp_reduce<32>(v, op, lane, n - t + lane);
    if (X * Y * Z > 32) {
      if (lane == 0) s->v[t / 32] = v;
      __syncthreads();
      if (t == 0) for (int i = 1; i < (X * Y * Z + 31) / 32; i++) if (i * 32 < n) v = op(v, s->v[i]);
    }
    return v;
  }
  template <class F> D T Reduce(T v, F op) { return Reduce(v, op, X * Y * Z); }
  template <int N, class F> D T Reduce(T (&a)[N], F op) { T v = a[0]; for (int i = 1; i < N; i++) v = op(v, a[i]); return Reduce(v, op, X * Y * Z); }
  D T Sum(T v) { return Reduce(v, cub_Plus(), X * Y * Z); }
  D T Sum(T v, int n) { return Reduce(v, cub_Plus(), n); }
  template <int N> D T Sum(T (&a)[N]) { return Reduce(a, cub_Plus()); }
};
template <class T, int X, int A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1> struct BlockScan {
  typedef cub_Storage<T, X * Y * Z + X * Y * Z / 2 + 32> TempStorage;
  TempStorage *s;
  D BlockScan(TempStorage &a) : s(&a) {}
  template <class F> D T scan(T v, F op, T &all, bool inclusive, T init, bool first) {
    LINEAR(X, Y, Z);
    const int n = X * Y * Z, L = (n + 31) / 32, R = (n + L - 1) / L, P = L > 2 && L % 2 == 0;
    int lane = t % 32;
    T r = v;
    if (n <= 32) {
      T c = cub_warp_scan<32>(v, op, t);
      T o = __shfl_up_sync(~0u, c, 1, 32);
      all = __shfl_sync(~0u, c, n - 1, 32);
      r = inclusive ? (first ? op(init, c) : c) : t > 0 ? (first ? op(init, o) : o) : init;
    } else if (A == BLOCK_SCAN_WARP_SCANS && n % 32 == 0) {
      T c = cub_warp_scan<32>(v, op, lane);
      T o = __shfl_up_sync(~0u, c, 1, 32);
      if (lane == 31) s->v[t / 32] = c;
      __syncthreads();
      T sum = s->v[0], before = init;
      for (int i = 1; i < n / 32; i++) { if (t / 32 == i) before = sum; sum = op(sum, s->v[i]); }
      if (t >= 32) { c = op(before, c); o = lane ? op(before, o) : before; }
      all = sum;
      r = inclusive ? (first ? op(init, c) : c) : t > 0 ? (first ? op(init, o) : o) : init;
    } else {
      int at = P ? t + t / L : t;
      s->v[at] = v;
      __syncthreads();
      if (t < R) {
        int b = P ? t * L + t : t * L;
        T p = s->v[b], cached[L];
        cached[0] = p;
        for (int i = 1; i < L; i++) if (t * L + i < n) { cached[i] = s->v[b + i]; p = op(p, cached[i]); }
        T c = cub_warp_scan<32>(p, op, t);
        T o = __shfl_up_sync(~0u, c, 1, 32);
        if (t == R - 1) s->total = c;
        bool known = first || t > 0;
        T run = t > 0 ? (first ? op(init, o) : o) : init;
        for (int i = 0; i < L; i++) if (t * L + i < n) {
          T x = A == BLOCK_SCAN_RAKING ? s->v[b + i] : cached[i], next = known || i > 0 ? op(run, x) : x;
          s->v[b + i] = inclusive ? next : run;
          run = next;
        }
      }
      __syncthreads();
      r = s->v[at];
      all = s->total;
    }
    return r;
  }
  D void InclusiveSum(T v, T &out) { T a; out = scan(v, cub_Plus(), a, true, T(0), false); }
  D void InclusiveSum(T v, T &out, T &all) { out = scan(v, cub_Plus(), all, true, T(0), false); }
  D void ExclusiveSum(T v, T &out) { T a; out = scan(v, cub_Plus(), a, false, T(0), true); }
  D void ExclusiveSum(T v, T &out, T &all) { out = scan(v, cub_Plus(), all, false, T(0), true); }
  template <class F> D void InclusiveScan(T v, T &out, F op) { T a; out = scan(v, op, a, true, v, false); }
  template <class F> D void InclusiveScan(T v, T &out, F op, T &all) { out = scan(v, op, all, true, v, false); }
  template <class F> D void ExclusiveScan(T v, T &out, T init, F op) { T a; out = scan(v, op, a, false, init, true); }
  template <class F> D void ExclusiveScan(T v, T &out, T init, F op, T &all) { out = scan(v, op, all, false, init, true); }
  template <int N> D void InclusiveSum(T (&in)[N], T (&out)[N]) { T a; sums(in, out, a, true); }
  template <int N> D void InclusiveSum(T (&in)[N], T (&out)[N], T &all) { sums(in, out, all, true); }
  template <int N> D void ExclusiveSum(T (&in)[N], T (&out)[N]) { T a; sums(in, out, a, false); }
  template <int N> D void ExclusiveSum(T (&in)[N], T (&out)[N], T &all) { sums(in, out, all, false); }
  template <int N> D void sums(T (&in)[N], T (&out)[N], T &all, bool inclusive) {
    T v = in[0];
    for (int i = 1; i < N; i++) v += in[i];
    T run = scan(v, cub_Plus(), all, false, T(0), true);
    for (int i = 0; i < N; i++) { T x = in[i]; out[i] = inclusive ? run + x : run; run += x; }
  }
};
#define MOVE(NAME, PREFIX, ASSIGN, VECTOR, EXCHANGE_FIRST, EXCHANGE_LAST, METHOD, PARAM) \
template <class T, int X, int N, int A = 0, int Y = 1, int Z = 1> struct NAME { \
  typedef cub_Storage<T, (A > 2 ? X * Y * Z * N + X * Y * Z * N / 32 : 1)> TempStorage; \
  TempStorage *s; \
  D NAME(TempStorage &a) : s(&a) {} \
  D NAME() {} \
  D int place(int i) { return i + (N > 4 && (N & (N - 1)) == 0 ? i / 32 : 0); } \
  D int item(int t, int i) { return A == 0 || A == 2 ? t * N + i : A == 1 || A == 3 ? t + i * X * Y * Z : t / 32 * 32 * N + t % 32 + 32 * i; } \
  D void METHOD(T *p, T (&a)[N]) { METHOD(p, a, X * Y * Z * N); } \
  D void METHOD(T *p, T (&a)[N], int n) { \
    LINEAR(X, Y, Z); \
    EXCHANGE_FIRST \
    if (A == 2 && n == X * Y * Z * N && N % 4 == 0 && sizeof(T) == 4) { for (int i = 0; i < N; i += 4) { VECTOR } } \
    else for (int i = 0; i < N; i++) { int k = item(t, i); if (k < n) ASSIGN; } \
    EXCHANGE_LAST \
  } \
  PARAM \
};
MOVE(BlockLoad, BLOCK_LOAD, a[i] = p[k],
  cub_Four<T> v = reinterpret_cast<const cub_Four<T> *>(p)[(t * N + i) / 4]; a[i] = v.x; a[i + 1] = v.y; a[i + 2] = v.z; a[i + 3] = v.w;,
  ,
  if (A > 2) {
    for (int i = 0; i < N; i++) s->v[place(item(t, i))] = a[i];
    if (A == 3) __syncthreads(); else __syncwarp();
    for (int i = 0; i < N; i++) a[i] = s->v[place(t * N + i)];
  },
  Load,
  D void Load(T *p, T (&a)[N], int n, T other) { for (int i = 0; i < N; i++) a[i] = other; Load(p, a, n); })
MOVE(BlockStore, BLOCK_STORE, p[k] = a[i],
  cub_Four<T> v; v.x = a[i]; v.y = a[i + 1]; v.z = a[i + 2]; v.w = a[i + 3]; reinterpret_cast<cub_Four<T> *>(p)[(t * N + i) / 4] = v;,
  if (A > 2) {
    for (int i = 0; i < N; i++) s->v[place(t * N + i)] = a[i];
    if (A == 3) __syncthreads(); else __syncwarp();
    for (int i = 0; i < N; i++) a[i] = s->v[place(item(t, i))];
  },
  , Store, )
#define EACH_ITEM template <int X, class T, int N> D void
EACH_ITEM LoadDirectStriped(int t, const T *p, T (&a)[N]) { for (int i = 0; i < N; i++) a[i] = p[t + i * X]; }
EACH_ITEM LoadDirectStriped(int t, const T *p, T (&a)[N], int n) { for (int i = 0; i < N; i++) if (t + i * X < n) a[i] = p[t + i * X]; }
EACH_ITEM StoreDirectStriped(int t, T *p, T (&a)[N]) { for (int i = 0; i < N; i++) p[t + i * X] = a[i]; }
EACH_ITEM StoreDirectStriped(int t, T *p, T (&a)[N], int n) { for (int i = 0; i < N; i++) if (t + i * X < n) p[t + i * X] = a[i]; }
template <class T, int N> D void LoadDirectBlocked(int t, const T *p, T (&a)[N]) { for (int i = 0; i < N; i++) a[i] = p[t * N + i]; }
template <class T, int N> D void StoreDirectBlocked(int t, T *p, T (&a)[N]) { for (int i = 0; i < N; i++) p[t * N + i] = a[i]; }
template <class T, int X, int N, bool W = false, int Y = 1, int Z = 1> struct BlockExchange {
  typedef cub_Storage<T, X * Y * Z * N + X * Y * Z * N / 32> TempStorage;
  TempStorage *s;
  D BlockExchange(TempStorage &a) : s(&a) {}
  D int place(int i) { return i + (N > 4 && (N & (N - 1)) == 0 ? i / 32 : 0); }
  D void BlockedToStriped(T (&a)[N]) { LINEAR(X, Y, Z); for (int i = 0; i < N; i++) s->v[place(t * N + i)] = a[i]; __syncthreads(); for (int i = 0; i < N; i++) a[i] = s->v[place(t + i * X * Y * Z)]; }
  D void StripedToBlocked(T (&a)[N]) { LINEAR(X, Y, Z); for (int i = 0; i < N; i++) s->v[place(t + i * X * Y * Z)] = a[i]; __syncthreads(); for (int i = 0; i < N; i++) a[i] = s->v[place(t * N + i)]; }
  D void BlockedToStriped(T (&a)[N], T (&b)[N]) { for (int i = 0; i < N; i++) b[i] = a[i]; BlockedToStriped(b); }
  D void StripedToBlocked(T (&a)[N], T (&b)[N]) { for (int i = 0; i < N; i++) b[i] = a[i]; StripedToBlocked(b); }
  D void ScatterToBlocked(T (&a)[N], int (&r)[N]) { LINEAR(X, Y, Z); for (int i = 0; i < N; i++) s->v[place(r[i])] = a[i]; __syncthreads(); for (int i = 0; i < N; i++) a[i] = s->v[place(t * N + i)]; }
  D void ScatterToStriped(T (&a)[N], int (&r)[N]) { LINEAR(X, Y, Z); for (int i = 0; i < N; i++) s->v[place(r[i])] = a[i]; __syncthreads(); for (int i = 0; i < N; i++) a[i] = s->v[place(t + i * X * Y * Z)]; }
};
D unsigned cub_bits(unsigned a) { return a; }
D unsigned cub_bits(int a) { return (unsigned)a ^ 0x80000000u; }
D unsigned cub_bits(unsigned char a) { return a; }
D unsigned cub_bits(unsigned short a) { return a; }
D unsigned cub_bits(float a) { unsigned u = __float_as_uint(a); return u >> 31 ? ~u : u | 0x80000000u; }
D unsigned long long cub_bits(unsigned long long a) { return a; }
D unsigned long long cub_bits(long long a) { return (unsigned long long)a ^ 0x8000000000000000ull; }
struct NullType {};
template <class K, class V, int X, int N> struct cub_SortStorage { unsigned short count[16 * X]; unsigned total[32]; K keys[X * N]; V values[X * N]; };
template <class K, int X, int N, class V = NullType> struct BlockRadixSort {
  typedef cub_SortStorage<K, V, X, N> TempStorage;
  TempStorage *s;
  D BlockRadixSort(TempStorage &a) : s(&a) {}
  D void passes(K (&k)[N], V (&v)[N], int begin, int end, bool down, bool striped, bool pairs) {
    int t = threadIdx.x, r[N];
    for (int b = begin; b < end; b += 4) {
      for (int d = 0; d < 16; d++) s->count[d * X + t] = 0;
      for (int i = 0; i < N; i++) { int d = (int)(cub_bits(k[i]) >> b & 15); if (down) d = 15 - d; r[i] = s->count[d * X + t]; s->count[d * X + t] = r[i] + 1; }
      __syncthreads();
      int sum = 0;
      for (int j = 0; j < 16; j++) sum += s->count[t * 16 + j];
      int all = cub_warp_scan<32>(sum, cub_Plus(), t % 32);
      if (t % 32 == 31 || t == X - 1) s->total[t / 32] = all;
      __syncthreads();
      int run = all - sum;
      for (int w = 0; w < t / 32; w++) run += s->total[w];
      for (int j = 0; j < 16; j++) { int c = s->count[t * 16 + j]; s->count[t * 16 + j] = run; run += c; }
      __syncthreads();
      for (int i = 0; i < N; i++) { int d = (int)(cub_bits(k[i]) >> b & 15); if (down) d = 15 - d; r[i] += s->count[d * X + t]; s->keys[r[i]] = k[i]; if (pairs) s->values[r[i]] = v[i]; }
      __syncthreads();
      bool wide = striped && b + 4 >= end;
      for (int i = 0; i < N; i++) { int at = wide ? t + i * X : t * N + i; k[i] = s->keys[at]; if (pairs) v[i] = s->values[at]; }
      __syncthreads();
    }
  }
#define SORT(NAME, DOWN, STRIPED) \
  D void NAME(K (&k)[N], int b = 0, int e = sizeof(K) * 8) { V v[N]; passes(k, v, b, e, DOWN, STRIPED, false); } \
  D void NAME(K (&k)[N], V (&v)[N], int b = 0, int e = sizeof(K) * 8) { passes(k, v, b, e, DOWN, STRIPED, true); }
  SORT(Sort, false, false) SORT(SortDescending, true, false) SORT(SortBlockedToStriped, false, true) SORT(SortDescendingBlockedToStriped, true, true)
};
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
template <class T, int X, int N, int BINS, int A = BLOCK_HISTO_ATOMIC> struct BlockHistogram {
  typedef cub_NoStorage TempStorage;
  D BlockHistogram(TempStorage &s) {}
  template <class C> D void InitHistogram(C *h) { for (int i = threadIdx.x; i < BINS; i += X) h[i] = 0; }
  template <class C> D void Composite(T (&a)[N], C *h) { for (int i = 0; i < N; i++) atomicAdd(h + a[i], 1); }
  template <class C> D void Histogram(T (&a)[N], C *h) { InitHistogram(h); __syncthreads(); Composite(a, h); }
};
template <class T, int X> struct BlockDiscontinuity {
  typedef cub_Storage<T, X> TempStorage;
  TempStorage *s;
  D BlockDiscontinuity(TempStorage &a) : s(&a) {}
  template <int N, class B, class F> D void FlagHeads(B (&f)[N], T (&a)[N], F op) { s->v[threadIdx.x] = a[N - 1]; __syncthreads(); for (int i = 1; i < N; i++) f[i] = op(a[i - 1], a[i]); f[0] = threadIdx.x == 0 ? 1 : op(s->v[threadIdx.x - 1], a[0]); }
  template <int N, class B, class F> D void FlagTails(B (&f)[N], T (&a)[N], F op) { s->v[threadIdx.x] = a[0]; __syncthreads(); for (int i = 0; i + 1 < N; i++) f[i] = op(a[i], a[i + 1]); f[N - 1] = threadIdx.x == X - 1 ? 1 : op(a[N - 1], s->v[threadIdx.x + 1]); }
};
struct Equality { template <class T> D bool operator()(T a, T b) const { return a == b; } };
struct Inequality { template <class T> D bool operator()(T a, T b) const { return a != b; } };
template <class K, class V> struct KeyValuePair { K key; V value; typedef K Key; typedef V Value; D KeyValuePair() {} D KeyValuePair(K k, V v) : key(k), value(v) {} };
struct ArgMax { template <class T> D T operator()(T a, T b) const { return b.value > a.value || a.value == b.value && b.key < a.key ? b : a; } };
struct ArgMin { template <class T> D T operator()(T a, T b) const { return b.value < a.value || a.value == b.value && b.key < a.key ? b : a; } };
template <int W, class T> D T ShuffleDown(T v, int d, int last, unsigned m) { return __shfl_down_sync(m, v, d, W); }
template <int W, class T> D T ShuffleUp(T v, int d, int first, unsigned m) { return __shfl_up_sync(m, v, d, W); }
template <int W, class T> D T ShuffleIndex(T v, int l, unsigned m) { return __shfl_sync(m, v, l, W); }
D unsigned LaneId() { return __lane_id(); }
D unsigned WarpId() { return threadIdx.x / 32; }
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <int M, class T> D T ThreadLoad(T *p) { return M == LOAD_LDG ? __ldg(p) : *p; }
template <int M, class T> D void ThreadStore(T *p, T v) { *p = v; }
