template <class T = int> struct less { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T = int> struct greater { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T, class F> __device__ T reduce(coalesced_group g, T v, F op) {
  for (unsigned d = 1; d < g.size(); d *= 2) { T o = g.shfl_down(v, d); if (g.thread_rank() + d < g.size()) v = op(v, o); }
  return g.shfl(v, 0);
}
template <class G, class T, class F> __device__ T reduce(G g, T v, F op) {
  for (int d = g.size() / 2; d > 0; d /= 2) v = op(v, g.shfl_xor(v, d));
  return v;
}
template <class G, class T, class F> __device__ T inclusive_scan(G g, T v, F op) {
  for (int d = 1; d < g.size(); d *= 2) { T o = g.shfl_up(v, d); if (g.thread_rank() >= d) v = op(o, v); }
  return v;
}
template <class G, class T> __device__ T inclusive_scan(G g, T v) { return inclusive_scan(g, v, plus<T>()); }
template <class G, class T, class F> __device__ T exclusive_scan(G g, T v, F op) {
  T o = g.shfl_up(inclusive_scan(g, v, op), 1), z = 0;
  return g.thread_rank() == 0 ? z : o;
}
template <class G, class T> __device__ T exclusive_scan(G g, T v) { return exclusive_scan(g, v, plus<T>()); }
