// launch: k<<<1, 8>>>(out: int[8], s: int[4][8] = iota)
// out: 146 145 144 143 142 141 140 139
// accesses: load s+32 4x8; store s+64 4x8; load s+92 4x8; load s+124 4x8; store out+0 4x8
__global__ void k(int *out, cudaSurfaceObject_t s) {
  int t = threadIdx.x;
  int v = surf2Dread<int>(s, t * 4, 1);
  surf2Dwrite(v + 100, s, t * 4, 2);
  int w;
  surf2Dread(&w, s, (7 - t) * 4, 2, cudaBoundaryModeTrap);
  out[t] = w + surf2Dread<int>(s, 400, 9, cudaBoundaryModeClamp);
}
