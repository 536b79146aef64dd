// `++x;` and `--x;` as statements load and store once: nobody reads the new value.
// out: 1 1 1 1
// accesses: load out+0 4x4; store out+0 4x4; load out+0 4x4; store out+0 4x4; load out+0 4x4; store out+0 4x4
// launch: k<<<1, 4>>>(out: int[4])
__global__ void k(int *out) {
  ++out[threadIdx.x];
  out[threadIdx.x]++;
  --out[threadIdx.x];
}
