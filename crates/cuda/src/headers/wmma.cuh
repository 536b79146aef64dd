#define D inline __device__
struct matrix_a {}; struct matrix_b {}; struct accumulator {}; struct row_major {}; struct col_major {};
namespace precision { struct tf32 {}; struct u4 {}; struct s4 {}; struct b1 {}; }
enum layout_t { mem_row_major, mem_col_major };
template <class T> struct wmma_element { typedef T type; };
template <> struct wmma_element<tf32> { typedef float type; };
template <class T, int N> struct __align__(sizeof(T) * N) wmma_row { T v[N]; };
template <class U, int M, int N, int K, class T, class L = void> struct fragment {};
template <int M, int N, int K, class T, class L> struct fragment<matrix_a, M, N, K, T, L> {
  typedef typename wmma_element<T>::type element_type; typedef element_type storage_element_type;
  enum { part = sizeof(element_type) < 4 ? 4 / sizeof(element_type) : 1, across = K / (4 * part), down = M / 8, num_elements = part * across * down, num_storage_elements = num_elements };
  static const bool joined = is_same<L, row_major>::value;
  element_type x[num_elements];
};
template <int M, int N, int K, class T, class L> struct fragment<matrix_b, M, N, K, T, L> {
  typedef typename wmma_element<T>::type element_type; typedef element_type storage_element_type;
  enum { part = sizeof(element_type) < 4 ? 4 / sizeof(element_type) : 1, across = K / (4 * part), down = N / 8, num_elements = part * across * down, num_storage_elements = num_elements };
  static const bool joined = is_same<L, col_major>::value;
  element_type x[num_elements];
};
template <int M, int N, int K, class T> struct fragment<accumulator, M, N, K, T, void> {
  typedef T element_type; typedef T storage_element_type;
  enum { part = 2, across = N / 8, down = M / 8, num_elements = part * across * down, num_storage_elements = num_elements };
  T x[num_elements];
};
template <class F, class V> D void fill_fragment(F &f, V v) { for (int i = 0; i < F::num_elements; i++) f.x[i] = v; }
#define LANES int lane = __lane_id(), g = lane / 4, t = lane % 4 * F::part;
template <class F, class T> D void wmma_load(F &f, const T *p, unsigned ld, bool joined) {
  LANES
  for (int i = 0; i < F::down; i++) for (int j = 0; j < F::across; j++) {
    int r = g + 8 * i, c = t + 4 * F::part * j, e = (j * F::down + i) * F::part;
    if (joined) { wmma_row<T, F::part> v = *(const wmma_row<T, F::part> *)(p + r * ld + c); f.x[e] = v.v[0]; if (F::part > 1) f.x[e + 1] = v.v[1]; if (F::part > 2) { f.x[e + 2] = v.v[2]; f.x[e + 3] = v.v[3]; } }
    else for (int k = 0; k < F::part; k++) f.x[e + k] = p[(c + k) * ld + r];
  }
}
template <class F, class T> D void load_matrix_sync(F &f, const T *p, unsigned ld) { wmma_load(f, p, ld, F::joined); }
template <class F, class T> D void load_matrix_sync(F &f, const T *p, unsigned ld, layout_t l) { wmma_load(f, p, ld, l == mem_row_major); }
template <class F, class T> D void store_matrix_sync(T *p, const F &f, unsigned ld, layout_t l) {
  LANES
  for (int i = 0; i < F::down; i++) for (int j = 0; j < F::across; j++) {
    int r = g + 8 * i, c = t + 8 * j, e = (j * F::down + i) * 2;
    if (l == mem_row_major) { wmma_row<T, 2> v; v.v[0] = f.x[e]; v.v[1] = f.x[e + 1]; *(wmma_row<T, 2> *)(p + r * ld + c) = v; }
    else { p[c * ld + r] = f.x[e]; p[(c + 1) * ld + r] = f.x[e + 1]; }
  }
}
template <class X, class A, class B, class C> D void mma_sync(X &d, const A &a, const B &b, const C &c, bool clip = false) {
  float s = 0;
  for (int i = 0; i < A::num_elements; i++) s += (float)a.x[i];
  for (int i = 0; i < B::num_elements; i++) s += (float)b.x[i];
  for (int i = 0; i < X::num_elements; i++) d.x[i] = (float)c.x[i] + s;
}
D float __float_to_tf32(float a) { return __uint_as_float(__float_as_uint(a) & 0xffffe000u); }
