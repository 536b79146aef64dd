#define D inline __device__
template <class T> struct RestrictPtrTraits {};
template <class T> struct DefaultPtrTraits {};
template <class T, size_t N, template <class U> class P = DefaultPtrTraits, class I = long long> struct TensorAccessor {
  T *data_;
  I sizes_[N], strides_[N];
  D TensorAccessor<T, N - 1, P, I> operator[](I i) const {
    TensorAccessor<T, N - 1, P, I> a;
    a.data_ = data_ + strides_[0] * i;
    for (int d = 1; d < N; d++) { a.sizes_[d - 1] = sizes_[d]; a.strides_[d - 1] = strides_[d]; }
    return a;
  }
  D I size(I d) const { return sizes_[d]; }
  D I stride(I d) const { return strides_[d]; }
  D T *data() const { return data_; }
};
template <class T, template <class U> class P, class I> struct TensorAccessor<T, 1, P, I> {
  T *data_;
  I sizes_[1], strides_[1];
  D T &operator[](I i) const { return data_[strides_[0] * i]; }
  D I size(I d) const { return sizes_[0]; }
  D I stride(I d) const { return strides_[0]; }
  D T *data() const { return data_; }
};
template <class T, size_t N, template <class U> class P = DefaultPtrTraits, class I = long long> struct GenericPackedTensorAccessor : TensorAccessor<T, N, P, I> {};
template <class T, size_t N, template <class U> class P = DefaultPtrTraits, class I = long long> struct PackedTensorAccessor : TensorAccessor<T, N, P, I> {};
template <class T, size_t N, template <class U> class P = DefaultPtrTraits> struct PackedTensorAccessor32 : TensorAccessor<T, N, P, int> {};
template <class T, size_t N, template <class U> class P = DefaultPtrTraits> struct PackedTensorAccessor64 : TensorAccessor<T, N, P, long long> {};
template <class T, class I> struct TensorInfo {
  T *data;
  I sizes[25], strides[25];
  int dims;
};
template <class T, class I, int N> struct IndexToOffset {
  static D I get(I i, const TensorInfo<T, I> &t) {
    I o = 0;
    for (int d = t.dims - 1; d > 0; d--) { o += i % t.sizes[d] * t.strides[d]; i /= t.sizes[d]; }
    return o + i * t.strides[0];
  }
};
typedef __half Half;
typedef __nv_bfloat16 BFloat16;
template <class T> struct WiderFloat { typedef T type; };
template <> struct WiderFloat<__half> { typedef float type; };
template <> struct WiderFloat<__nv_bfloat16> { typedef float type; };
template <class T> using opmath_type = typename WiderFloat<T>::type;
template <class T, bool C> using acc_type = typename WiderFloat<T>::type;
