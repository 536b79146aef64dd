template <class T = int> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <class T = int> struct minus { __device__ T operator()(T a, T b) const { return a - b; } };
template <class T = int> struct multiplies { __device__ T operator()(T a, T b) const { return a * b; } };
template <class T = int> struct minimum { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T = int> struct maximum { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T = int> struct bit_and { __device__ T operator()(T a, T b) const { return a & b; } };
template <class T = int> struct bit_or { __device__ T operator()(T a, T b) const { return a | b; } };
template <class T = int> struct bit_xor { __device__ T operator()(T a, T b) const { return a ^ b; } };
