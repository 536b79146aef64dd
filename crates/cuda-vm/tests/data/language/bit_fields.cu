// launch: k<<<1, 32>>>(out: int[32])
// out: 16100050 16101051 16102052 16103053 16104054 16105055 16106056 16107057 16092050 16093051 16094052 16095053 16096054 16097055 16098056 16099057 16100050 16101051 16102052 16103053 16104054 16105055 16106056 16107057 16092050 16093051 16094052 16095053 16096054 16097055 16098056 16099057
// accesses: store out+0 4x32
struct Flags { unsigned low : 3, mid : 5; int sign : 4; unsigned : 0; unsigned long long wide : 40; };
__global__ void k(int *out) {
  int t = threadIdx.x;
  Flags f = {1, 2};
  f.low = t; f.mid += 3; f.sign = t & 15; f.wide = 1ull << 33;
  out[t] = f.low + 10 * f.mid + 1000 * f.sign + (f.wide >> 33) * 100000 + sizeof(Flags) * 1000000;
}
