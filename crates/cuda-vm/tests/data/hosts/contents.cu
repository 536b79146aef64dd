Host programs whose arrays get contents. `random` without bounds, or to 64, is what an array has of which nothing is known.
//// counters, products, remainders and constants, in one loop, in a nest and in a function
//= use <<<16, 256>>> a = iota(4095, -1) b = random(2, 0, 1000) c = 2.5 d = iota(0, 3, 256) e = random(5, 10, 266) f = iota(7, 2)
#include <cstdlib>
#define N 4096
__global__ void use(const int *a, const int *b, const float *c, const unsigned *d, const int *e, const long *f, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = a[i] + b[i] + c[i] + d[i] + e[i] + f[i];
}
void fill(int *x, int n) { for (int i = 0; i < n; ++i) x[i] = rand() % 1000; }
template <class T> T *device(const T *host, int n) { T *d; cudaMalloc(&d, n * sizeof(T)); cudaMemcpy(d, host, n * sizeof(T), cudaMemcpyHostToDevice); return d; }
int main() {
  int *a = (int *)malloc(N * sizeof(int)), *b = new int[N], *e = (int *)malloc(sizeof(int) * N);
  float *c = new float[N], *out; unsigned *d = new unsigned[N]; long *f = new long[N];
  for (int i = 0; i < N; i++) a[i] = N - 1 - i;
  fill(b, N);
  for (int row = 0; row < 64; row++) for (int col = 0; col < 64; col++) { c[row * 64 + col] = 2.5f; f[64 * row + col] = (64 * row + col) * 2 + 7; }
  for (unsigned i = 0; i <= N - 1; i += 1) { d[i] = (3 * i) % 256; e[i] = 10 + (rand() & 255); }
  cudaMalloc(&out, N * sizeof(float));
  use<<<N / 256, 256>>>(device(a, N), device(b, N), device(c, N), device(d, N), device(e, N), device(f, N), out);
}
//// a few elements with values of their own, vectors, and memory of zeros
//= use <<<1, 64>>> a = {0, 1, 4, 9, 16} b = 3 c = zero d = zero e = zero f = iota
#include <cstdlib>
#include <cstring>
#include <vector>
__global__ void use(const int *a, const int *b, const int *c, const float *d, const int *e, const int *f, int *out) { int i = threadIdx.x; out[i] = a[i % 5] + b[i] + c[i] + d[i] + e[i] + f[i]; }
int main() {
  std::vector<int> squares(5), threes(64, 3), zeros(64), copy(threes);
  for (size_t i = 0; i < squares.size(); i++) squares[i] = i * i;
  int *a, *b, *c, *e, *f, *out; float *d;
  cudaMalloc(&a, 20); cudaMalloc(&b, 256); cudaMalloc(&c, 256); cudaMalloc(&d, 256); cudaMalloc(&e, 256); cudaMallocManaged(&f, 256); cudaMalloc(&out, 256);
  cudaMemcpy(a, squares.data(), 20, cudaMemcpyHostToDevice);
  cudaMemcpyAsync(b, copy.data(), 256, cudaMemcpyHostToDevice, 0);
  cudaMemcpy(c, &zeros[0], 256, cudaMemcpyHostToDevice);
  float *none = (float *)calloc(64, 4); cudaMemcpy(d, none, 256, cudaMemcpyHostToDevice);
  memset(copy.data(), 0, 256); cudaMemcpy(e, copy.data(), 256, cudaMemcpyDefault);
  for (int i = 0; i < 64; i++) f[i] = i;
  use<<<1, 64>>>(a, b, c, d, e, f, out);
}
//// what ends it: a condition, a part, a second place, another function, an alias, a range that starts late, and a copy of a part
//= use <<<1, 64>>> a = random(1, 0, 64) b = random(2, 0, 64) c = random(3, 0, 64) d = random(4, 0, 64) e = random(5, 0, 64) f = random(6, 0, 64) g = random(7, 0, 64) h = random(8, 0, 64)
#include <cstdio>
#include <algorithm>
__global__ void use(const int *a, const int *b, const int *c, const int *d, const int *e, const int *f, const int *g, const int *h, int *out) { int i = threadIdx.x; out[i] = a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i]; }
void change(int *x, int n) { for (int i = 0; i < n; i++) if (i % 3) x[i] = 4; }
int main() {
  int *a, *b, *c, *d, *e, *f, *g, *h, *out;
  int **all[9] = {&a, &b, &c, &d, &e, &f, &g, &h, &out};
  cudaMallocManaged(&a, 256); cudaMallocManaged(&b, 256); cudaMallocManaged(&c, 256); cudaMallocManaged(&d, 256); cudaMallocManaged(&e, 256);
  cudaMallocManaged(&f, 256); cudaMallocManaged(&g, 256); cudaMalloc(&h, 256); cudaMalloc(&out, 256);
  int *alias = e;
  for (int i = 0; i < 64; i++) { if (i > 4) a[i] = i; b[i] = i; c[i] = i; d[i] = i; e[i] = i; g[i] = i; }
  b[7] = 3;
  for (int i = 0; i < 64; i++) c[i] += c[i] / 2;
  change(d, 64);
  *alias = 5;
  for (int i = 1; i < 64; i++) f[i] = i;
  std::reverse(g, g + 64);
  int *host = new int[32]; for (int i = 0; i < 32; i++) host[i] = i;
  cudaMemcpy(h, host, 128, cudaMemcpyHostToDevice);
  use<<<1, 64>>>(a, b, c, d, e, f, g, h, out);
}
//// a kernel changes what it may write to; what it only reads stays for the next one; two ends of an unknown choice must agree
//= first <<<1, 64>>> a = iota b = iota
//= second <<<1, 64>>> a = iota b = random(2, 0, 64) c = 7 d = random(4, 0, 64)
#include <cstdio>
__global__ void first(const int *a, int *b) { b[threadIdx.x] = a[threadIdx.x]; }
__global__ void second(const int *a, const int *b, const int *c, const int *d, int *out) { int i = threadIdx.x; out[i] = a[i] + b[i] + c[i] + d[i]; }
int main(int argc, char **argv) {
  int *a, *b, *c, *d, *out;
  cudaMallocManaged(&a, 256); cudaMallocManaged(&b, 256); cudaMallocManaged(&c, 256); cudaMallocManaged(&d, 256); cudaMalloc(&out, 256);
  for (int i = 0; i < 64; i++) a[i] = b[i] = 1;
  for (int i = 0; i < 64; i++) { a[i] = i; b[i] = i; }
  FILE *file = fopen("choice", "r"); int choice; fread(&choice, 4, 1, file);
  for (int i = 0; i < 64; i++) c[i] = 7;
  if (fgetc(file) == 'x') { for (int i = 0; i < 64; i++) { c[i] = 7; d[i] = 1; } } else { for (int i = 0; i < 64; i++) { c[i] = 7; d[i] = 2; } }
  first<<<1, 64>>>(a, b);
  second<<<1, 64>>>(a, b, c, d, out);
}
//// bytes keep the low bits of what they are set to, and a cast to a small type is not followed
//= use <<<2, 256>>> a = iota(0, 1, 256) b = random(2, 0, 64) c = iota(0, 3)
__global__ void use(const unsigned char *a, const int *b, const unsigned char *c, int *out) { int i = blockIdx.x * 256 + threadIdx.x; out[i] = a[i] + b[i] + c[i]; }
int main() {
  unsigned char *a, *c; int *b, *out;
  cudaMallocManaged(&a, 512); cudaMallocManaged(&b, 2048); cudaMallocManaged(&c, 512); cudaMalloc(&out, 2048);
  for (int i = 0; i < 512; i++) { a[i] = i % 256; b[i] = (unsigned char)i; c[i] = 3 * i; }
  use<<<2, 256>>>(a, b, c, out);
}
//// a vector that is inserted into or swapped, and an element that is set alone, keep no contents
//= use <<<1, 64>>> a = random(1, 0, 64) b = random(2, 0, 64) c = random(3, 0, 64) d = 3
#include <vector>
__global__ void use(const int *a, const int *b, const int *c, const int *d, int *out) { int i = threadIdx.x; out[i] = a[i] + b[i] + c[i] + d[i]; }
int *device(const std::vector<int> &v) { int *d; cudaMalloc(&d, 256); cudaMemcpy(d, v.data(), 256, cudaMemcpyHostToDevice); return d; }
int main() {
  std::vector<int> a(64, 3), b(64, 3), c(64, 3), d(64, 3); int *out; cudaMalloc(&out, 256);
  a.insert(a.begin(), 7);
  b.swap(c);
  use<<<1, 64>>>(device(a), device(b), device(c), device(d), out);
}
