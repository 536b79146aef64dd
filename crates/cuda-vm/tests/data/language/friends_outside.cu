// launch: k<<<1, 2>>>(out: int[2])
// out: 13 13
// accesses: store out+0 4x2
template <class T> struct Later;
struct Plain { int a; };
class V {
public:
  __device__ V(int a);
  __device__ int get() const;
  friend __device__ V operator*(int s, const V &v) { return V(s * v.x); }
  __device__ ~V();
private:
  int x;
  template <class U> friend class Other;
};
inline __device__ V::V(int a) : x(a) {}
inline __device__ V::~V() {}
inline __device__ int V::get() const { return x; }
__global__ void k(int *out) { Plain p = {7}; V v(2); out[threadIdx.x] = (3 * v).get() + p.a; }
