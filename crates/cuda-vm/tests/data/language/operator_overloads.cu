// launch: k<<<1, 32, 4096>>>(out: int[3] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 596 -26 2
// accesses: store out+0 4x1; store out+4 4x1; store out+8 4x1
struct V { float x, y; __device__ V operator+(V o) const { return {x + o.x, y + o.y}; } __device__ V &operator+=(const V &o) { x += o.x; y += o.y; return *this; } __device__ float operator[](int i) const { return i ? y : x; } __device__ bool operator<(const V &o) const { return x < o.x; } __device__ operator float() const { return x + y; } __device__ V operator-() const { return V{-x, -y}; } __device__ V &operator++() { x += 1; return *this; } __device__ V operator++(int) { V c = *this; x += 1; return c; } };
__device__ V operator*(float s, const V &v) { return V{s * v.x, s * v.y}; }
__device__ bool operator==(const V &a, const V &b) { return a.x == b.x && a.y == b.y; }
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  V a{1, 2}, b = {3, 4};
  V c2 = a + b;
  c2 += a;
  V d = 2.0f * c2;
  float s = -d;
  ++a;
  V o = a++;
  if (t == 0) { out[0] = (int)(c2.x * 100 + c2.y * 10 + d[1]);
  out[1] = (int)s;
  out[2] = (a < b) * 10 + (a == b) + (int)o.x; }
}
