//// dimensions in an array without a length, whose elements are counted by their sizes: three launches, the last is the widest
//= scale <<<3, 64>>> x[192] n = 192
__global__ void scale(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2.0f; }
int main() {
  const int dims[] = {64, 128, 192}; const double weights[3] = {0.1, 0.2, 0.3};
  for (size_t j = 0; j < sizeof(dims) / sizeof(int); j++) {
    int n = dims[j] * (sizeof(weights) / sizeof(weights[0])) / 3 * (sizeof(dims) / sizeof(*dims)) / 3;
    float *d; cudaMalloc((void **)&d, n * sizeof(float));
    scale<<<n / 64, 64>>>(d, n);
  }
}
//// the shape of a tensor in vectors: a list, a length with a value, a copy, a part of another, a range, one of vectors, and a typedef
//= fill <<<96, 32>>> x[3072] n = 3072 rank = 5 rows = 90
#include <vector>
typedef std::vector<int> Shape;
__global__ void fill(float *x, int n, int rank, int rows) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = rank + rows; }
size_t volume(const std::vector<int> &shape, size_t from) { size_t all = 1; for (size_t i = from; i < shape.size(); i++) all *= shape[i]; return all; }
int main() {
  std::vector<int> shape{16, 12, 4}; Shape pair{2, 2};
  Shape all(shape); all.insert(all.end(), pair.begin(), pair.end());
  std::vector<std::vector<float>> table(9, std::vector<float>(10));
  int n = 1; for (auto s : shape) n *= s;
  n *= pair.front() * pair.back();
  float *x; cudaMalloc(&x, volume(shape, 1) * 64 * sizeof(float));
  fill<<<n / 32, 32>>>(x, n, (int)all.size(), (int)(table.size() * table[0].size()));
}
//// a name for a number type as a template argument, in double
//= shrink <<<2, 128>>> a[256] by = 0.46 last = 0
typedef double real;
template <typename T> __global__ void shrink(T *a, const T by, bool last) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[last ? 0 : i] *= by; }
template <typename T> void start(T by) { T *a; cudaMalloc((void **)&a, 256 * sizeof(T)); const std::string order = "rows"; const bool last = order == "columns"; shrink<T><<<2, 128>>>(a, by, last); }
int main() { start<real>((real)0.46); }
//// a text chooses the size, and constants of a class are read through its object
//= fill <<<5, 128>>> x[600] n = 600
#include <cstring>
__global__ void fill(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = n; }
class Net { public: static const int classes = 3; static constexpr int boxes = classes * 200; Net() {} };
int main() {
  Net net; const char *mode = "boxes of all"; const int n = strncmp(mode, "boxes", 5) == 0 && strcmp(mode, "boxes") != 0 ? net.boxes : net.classes;
  float *x; cudaMalloc(&x, n * sizeof(float)); fill<<<(n + 127) / 128, 128>>>(x, n);
}
//// arrays that the host sets on the device before the kernel that changes them
//= count <<<1, 64>>> hits = zero owner = -1
//= after <<<1, 64>>> hits[1] owner[64]
__global__ void count(int *hits, int *owner) { if (atomicAdd(hits, 1) < 4) owner[threadIdx.x] = threadIdx.x; }
__global__ void after(int *hits, int *owner) { owner[threadIdx.x] = *hits; }
int main() {
  int *hits, *owner; cudaMalloc(&hits, sizeof(int)); cudaMalloc(&owner, 64 * sizeof(int));
  cudaMemset(owner, 0xff, 64 * sizeof(int));
  cudaMemset(hits, 0, sizeof(int));
  count<<<1, 64>>>(hits, owner);
  after<<<1, 64>>>(hits, owner);
}
//// a count that a loop of a thousand rounds finds
//= inc <<<12, 256>>> a[3006] n = 3006
__global__ void inc(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i]++; }
int main() { int n = 0; for (int i = 0; i < 1000; i++) if (i % 3 == 0) n += 9; int *a; cudaMalloc(&a, n * sizeof(int)); inc<<<(n + 255) / 256, 256>>>(a, n); }
//// views of an array: a class template with a default argument, by its name, by an alias template and by an alias of an instance
//= square <<<2, 128>>> v = {v_data, 250} v_data[250]
//= twice <<<2, 128>>> v = {v_data, 250}
//= half <<<2, 128>>> v = {v_data, 250}
template <typename T, size_t N, typename Index = int64_t> class View {
 public:
  View(T *d, Index n) : data(d), n(n) {}
  __device__ T &operator[](Index i) { return data[i]; }
  __device__ Index size() const { return n; }
 protected:
  T *data; Index n;
};
template <typename T, size_t N> using Wide = View<T, N, int64_t>;
using Floats = View<float, 1>;
__global__ void square(View<float, 1> v) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < v.size()) v[i] *= v[i]; }
__global__ void twice(Wide<float, 1> v) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < v.size()) v[i] *= 2.0f; }
__global__ void half(Floats v) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < v.size()) v[i] *= 0.5f; }
int main() {
  float *d; cudaMalloc(&d, 250 * sizeof(float));
  View<float, 1> v(d, 250); Wide<float, 1> w(d, 250); Floats f(d, 250);
  square<<<2, 128>>>(v); twice<<<2, 128>>>(w); half<<<2, 128>>>(f);
}
//// a size from the cache of the device, and the largest number of a type as a mark
//= mark <<<4096, 256>>> d[1048576] n = 1048576
#include <cstdint>
__global__ void mark(uint32_t *d, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n && d[i] != UINT32_MAX) d[i] = UINT32_MAX; }
int main() { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); int n = p.l2CacheSize / sizeof(uint32_t); uint32_t *d; cudaMalloc(&d, n * sizeof(uint32_t)); mark<<<n / 256, 256>>>(d, n); }
//// names for a pointer and for a vector as types of parameters
//= shift <<<4, 64>>> p[256] by = {1.0, 2.0, 3.0}
typedef float *Floats;
using Step = float3;
__global__ void shift(Floats p, Step by) { p[blockIdx.x * blockDim.x + threadIdx.x] += by.x + by.y * by.z; }
int main() { float *d; cudaMalloc(&d, 256 * sizeof(float)); shift<<<4, 64>>>(d, make_float3(1, 2, 3)); }
//// a count and a largest value under a condition on data are unknown, and not what they begin with
//= mark <<<1, 64>>> a[65536] ones = 64 widest = 64
#include <cstdlib>
__global__ void mark(int *a, int ones, int widest) { if (threadIdx.x < ones && threadIdx.x < widest) a[threadIdx.x] = 1; }
int main() {
  int ones = 0, widest = 0; unsigned char *data = (unsigned char *)malloc(100); FILE *f = fopen("data", "r"); fread(data, 1, 100, f);
  for (int i = 0; i < 100; i++) { if (data[i] == 1) ones++; if (data[i] > widest) widest = data[i]; }
  int *a; cudaMalloc(&a, ones * sizeof(int)); mark<<<1, 64>>>(a, ones, widest);
}
//// arguments in a loop whose counter is a member, and a size that only such a loop sets
//= boxes <<<100, 32>>> s = {1, 10, 100, 25600} d[3200]
//= rows <<<1, 512>>> d[256] n = 256
#include <cstdlib>
struct Dims { int at; int side; long boxes; long bytes; };
__global__ void boxes(Dims s, double *d) { if (blockIdx.x < s.boxes) d[blockIdx.x * 32 + threadIdx.x] = 1; }
__global__ void rows(double *d, int n) { if (threadIdx.x < n) d[threadIdx.x] = 1; }
int main(int argc, char **argv) {
  Dims s; s.side = 10; int n; double *d;
  for (s.at = 1; s.at < argc; s.at++) s.side = atoi(argv[s.at]);
  for (int i = 1; i < argc; i++) n = atoi(argv[i]);
  s.boxes = s.side * s.side; s.bytes = s.boxes * 32 * sizeof(double);
  cudaMalloc((void **)&d, s.bytes); boxes<<<s.boxes, 32>>>(s, d);
  cudaMalloc((void **)&d, n * sizeof(double)); rows<<<(n + 511) / 512, 512>>>(d, n);
}
//// a coefficient with an exponent
//= step <<<1, 64>>> a[64] dt = 0.00000015
__global__ void step(float *a, double dt) { a[threadIdx.x] += dt; }
int main() { float *a; cudaMalloc(&a, 64 * sizeof(float)); step<<<1, 64>>>(a, 1.5e-7); }
