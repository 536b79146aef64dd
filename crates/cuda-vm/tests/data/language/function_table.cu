// launch: k<<<1, 8>>>(out: int[8])
// out: 405010 506010 607012 708030 820014 925050 1030016 1135070
// accesses: load ops+0 8x8; store out+0 4x8
typedef int (*op_t)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int mul(int a, int b) { return a * b; }
__device__ op_t ops[2] = {add, &mul};
__device__ int twice(int (*f)(int, int), int x) { return f(f(x, 2), 2); }
__global__ void k(int *out) {
  int t = threadIdx.x;
  op_t f = t > 3 ? mul : add;
  out[t] = ops[t & 1](t, 10) + 1000 * (*f)(t, 5) + 100000 * twice(add, t);
}
