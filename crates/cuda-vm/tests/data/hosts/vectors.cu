//// edges of a graph pushed one by one: rows of four, and one more offset than nodes
//= relax <<<16, 256>>> e[4000] n = 4000 dist[1000]
//= degrees <<<8, 128>>> row[1001] col[4000] n = 1000 deg[1000]
#include <vector>
struct Edge { int from, to; float weight; };
__global__ void relax(const Edge *e, int n, float *dist) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) dist[e[i].to] = dist[e[i].from] + e[i].weight; }
__global__ void degrees(const int *row, const int *col, int n, int *deg) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) deg[i] = row[i + 1] - row[i] + col[i]; }
int main() {
  const int nodes = 1000;
  std::vector<Edge> edges;
  std::vector<int> row, col;
  row.push_back(0);
  for (int i = 0; i < nodes; i++) {
    for (int k = 1; k <= 4; k++) {
      edges.push_back({i, (i * 7 + k) % nodes, 1.0f * k});
      col.push_back((i * 7 + k) % nodes);
    }
    row.push_back((int)col.size());
  }
  Edge *de; float *dd; int *dr, *dc, *dg;
  cudaMalloc(&de, edges.size() * sizeof(Edge)); cudaMalloc(&dd, nodes * sizeof(float)); cudaMalloc(&dg, nodes * sizeof(int));
  cudaMalloc(&dr, row.size() * sizeof(int)); cudaMalloc(&dc, col.size() * sizeof(int));
  relax<<<(edges.size() + 255) / 256, 256>>>(de, edges.size(), dd);
  degrees<<<(nodes + 127) / 128, 128>>>(dr, dc, nodes, dg);
}
//// a vector that both branches lengthen, one that is cleared and filled by steps of three, one that loses its last element
//= f <<<20, 256>>> a[4999] n = 4999 b[5000] m = 5000 c[100]
#include <vector>
__global__ void f(const int *a, int n, int *b, int m, int *c) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i % m] = a[i] + c[i % 100]; }
int main() {
  std::vector<int> either, all, third;
  third.push_back(7);
  for (int i = 0; i < 5000; ++i) {
    if (unknown(i)) either.push_back(i); else either.emplace_back(-i);
    all.push_back(i);
  }
  all.pop_back();
  third.clear();
  for (int i = 298; i >= 0; i -= 3) third.push_back(i);
  int *a, *b, *c;
  cudaMalloc(&a, all.size() * 4); cudaMalloc(&b, either.size() * sizeof(int)); cudaMalloc(&c, third.size() * sizeof(int));
  f<<<(all.size() + 255) / 256, 256>>>(a, all.size(), b, either.size(), c);
}
//// block sizes kept in a vector, and a vector that a helper fills by reference
//= scale <<<8, 512>>> x[4096] n = 4096
#include <vector>
__global__ void scale(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2.0f; }
void fill(std::vector<float> &v, int n) { v.clear(); v.reserve(n); for (int i = 0; i < n; i++) v.push_back(i * 0.5f); }
int main() {
  std::vector<int> sizes;
  sizes.push_back(64); sizes.push_back(512);
  std::vector<float> x;
  fill(x, 4096);
  float *d; cudaMalloc(&d, x.size() * sizeof(float));
  scale<<<x.size() / sizes[1], sizes[1]>>>(d, x.size());
}
//// a shape that is put behind another one, and one put before it, of which only the length is known
//= fill <<<15, 64>>> x[960] n = 960 rank = 5
#include <vector>
__global__ void fill(float *x, int n, int rank) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = rank; }
int main() {
  std::vector<int> first, second{4, 5, 12}, both;
  first.push_back(2); first.push_back(4);
  both.insert(both.end(), second.begin(), second.end());
  both.insert(both.end(), first.begin(), first.end());
  int n = both[0] * both[1] * both[2] * both.back();
  both.insert(both.begin(), first.begin(), first.end());
  float *x; cudaMalloc(&x, n * sizeof(float));
  fill<<<n / 64, 64>>>(x, n, (int)(both.size() - first.size()));
}
